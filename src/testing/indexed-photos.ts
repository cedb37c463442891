import { randomBytes } from 'node:crypto'
import type { Db } from '../database/client.ts'
import type { NewPhoto, Photo } from '../database/schema.ts'

/** Twelve times a brown. */
export const PLACEHOLDER = Buffer.alloc(36, Buffer.from([170, 136, 102]))

/** Inserts rows of indexed photos, with nothing in the storage.
 *  @returns their ids, in the order of the filenames `1.jpg`, `2.jpg` … */
export async function insertIndexedPhotos(db: Db, albumId: string, count: number): Promise<string[]> {
  const photos = await insertPhotoRows(db, albumId, count, {
    state: 'indexed',
    engine: 'embedded',
    face_count: 1,
  })
  await db
    .updateTable('albums')
    .set((album) => ({
      photos_settled: album('photos_settled', '+', count),
      faces_found: album('faces_found', '+', count),
    }))
    .where('id', '=', albumId)
    .execute()
  return photos.map(({ id }) => id)
}

/** Inserts rows of photos that are not indexed yet, with nothing in the storage and no jobs. */
export function insertStoredPhotos(db: Db, albumId: string, count: number): Promise<Photo[]> {
  return insertPhotoRows(db, albumId, count, {})
}

async function insertPhotoRows(
  db: Db,
  albumId: string,
  count: number,
  settled: Pick<NewPhoto, 'state' | 'engine' | 'face_count'>,
): Promise<Photo[]> {
  const rows = await db
    .insertInto('photos')
    .values(
      Array.from({ length: count }, (_, index) => ({
        album_id: albumId,
        sha256: randomBytes(32),
        filename: `${index + 1}.jpg`,
        media_type: 'image/jpeg' as const,
        size: 1000,
        width: 400,
        height: 300,
        placeholder: PLACEHOLDER,
        ...settled,
      })),
    )
    .returningAll()
    .execute()
  await db
    .updateTable('albums')
    .set((album) => ({ photos_stored: album('photos_stored', '+', count) }))
    .where('id', '=', albumId)
    .execute()
  return rows.sort((a, b) => Number.parseInt(a.filename, 10) - Number.parseInt(b.filename, 10))
}
