import { randomBytes } from 'node:crypto'
import type { Db } from '../database/client.ts'
import type { NewPhoto, Photo } from '../database/schema.ts'

/** Twelve times a brown. */
export const PLACEHOLDER = Buffer.alloc(36, Buffer.from([170, 136, 102]))

/** Inserts rows of indexed photos, with nothing in the storage.
 *  @param photos how many, each with one face; or how many faces each of them has
 *  @returns their ids, in the order of the filenames `1.jpg`, `2.jpg` … */
export async function insertIndexedPhotos(
  db: Db,
  albumId: string,
  photos: number | number[],
): Promise<string[]> {
  const faces = typeof photos === 'number' ? Array<number>(photos).fill(1) : photos
  const settled = { state: 'indexed', engine: 'embedded' } as const
  const rows = await insertPhotoRows(
    db,
    albumId,
    faces.map((face_count) => ({ ...settled, face_count })),
  )
  const found = faces.reduce((sum, count) => sum + count, 0)
  await db
    .updateTable('albums')
    .set((album) => ({
      photos_settled: album('photos_settled', '+', rows.length),
      faces_found: album('faces_found', '+', found),
    }))
    .where('id', '=', albumId)
    .execute()
  return rows.map(({ id }) => id)
}

/** Inserts rows of photos that are not indexed yet, with nothing in the storage and no jobs. */
export function insertStoredPhotos(db: Db, albumId: string, count: number): Promise<Photo[]> {
  return insertPhotoRows(
    db,
    albumId,
    Array.from({ length: count }, () => ({})),
  )
}

/** @param photos what they have beside the usual */
export async function insertPhotoRows(
  db: Db,
  albumId: string,
  photos: Partial<NewPhoto>[],
): Promise<Photo[]> {
  const rows = photos.map((photo, index) => ({
    ...{ album_id: albumId, sha256: randomBytes(32), filename: `${index + 1}.jpg`, size: 1000 },
    ...{ media_type: 'image/jpeg' as const, width: 400, height: 300, placeholder: PLACEHOLDER },
    ...photo,
  }))
  const inserted = await db.insertInto('photos').values(rows).returningAll().execute()
  await db
    .updateTable('albums')
    .set((album) => ({ photos_stored: album('photos_stored', '+', rows.length) }))
    .where('id', '=', albumId)
    .execute()
  return inserted.sort((a, b) => Number.parseInt(a.filename, 10) - Number.parseInt(b.filename, 10))
}
