import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { EngineName, NewPhoto, Photo } from '../database/schema.ts'
import type { IndexedPhoto } from '../faces/face-index.ts'

export function findPhoto(db: Db | Trx, photoId: string): Promise<Photo | undefined> {
  return db.selectFrom('photos').selectAll().where('id', '=', photoId).executeTakeFirst()
}

/** A photo with the password version that its links must have. */
export function findLinkedPhoto(db: Db, photoId: string) {
  return db
    .selectFrom('photos')
    .innerJoin('albums', 'albums.id', 'photos.album_id')
    .select([
      'photos.album_id',
      'photos.sha256',
      'photos.filename',
      'photos.media_type',
      'albums.password_version',
    ])
    .where('photos.id', '=', photoId)
    .executeTakeFirst()
}

/** Those of the hashes that the album already has, in hex. */
export async function storedHashes(db: Db | Trx, albumId: string, hashes: Buffer[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await db
    .selectFrom('photos')
    .select('sha256')
    .where('album_id', '=', albumId)
    .where('sha256', 'in', hashes)
    .execute()
  return new Set(rows.map((row) => row.sha256.toString('hex')))
}

/** @returns the new rows. The others already existed; another request may have just inserted them. */
export function insertPhotos(trx: Trx, photos: NewPhoto[]): Promise<Pick<Photo, 'id' | 'sha256' | 'size'>[]> {
  if (photos.length === 0) return Promise.resolve([])
  return trx
    .insertInto('photos')
    .values(photos)
    .onConflict((conflict) => conflict.constraint('photos_once_per_album').doNothing())
    .returning(['id', 'sha256', 'size'])
    .execute()
}

/** Replaces the faces of a photo with those that an engine has found. */
export async function recordFaces(
  trx: Trx,
  photo: Photo,
  engine: EngineName,
  { faces, unindexed }: IndexedPhoto,
): Promise<void> {
  await trx
    .updateTable('photos')
    .set({
      state: 'indexed',
      engine,
      refused_by: null,
      given_up_reason: null,
      face_count: faces.length,
      unindexed_faces: unindexed.length > 0 ? JSON.stringify(unindexed) : null,
    })
    .where('id', '=', photo.id)
    .execute()
  await trx.deleteFrom('faces').where('photo_id', '=', photo.id).execute()
  if (faces.length === 0) return
  await trx
    .insertInto('faces')
    .values(
      faces.map(({ faceId, box, confidence, quality }) => ({
        id: faceId,
        album_id: photo.album_id,
        photo_id: photo.id,
        box_left: box.left,
        box_top: box.top,
        box_width: box.width,
        box_height: box.height,
        confidence,
        ...quality,
      })),
    )
    .execute()
}

/** Records that an engine could not index a photo. A photo that was never indexed is given up; others keep their faces. */
export async function recordRefusal(
  trx: Trx,
  photoId: string,
  engine: EngineName,
  reason: string,
): Promise<void> {
  await trx
    .updateTable('photos')
    .set({
      state: sql<Photo['state']>`case when state = 'stored' then 'given_up' else state end`,
      refused_by: engine,
      given_up_reason: reason,
    })
    .where('id', '=', photoId)
    .execute()
}

/** The number of photos in each state. */
export async function countPhotosByStage(
  db: Db,
): Promise<Record<'waiting' | 'indexed' | 'given_up', number>> {
  const rows = await db
    .selectFrom('photos')
    .select(['state', (eb) => eb.fn.countAll<string>().as('count')])
    .groupBy('state')
    .execute()
  const of = (state: Photo['state']) => Number(rows.find((row) => row.state === state)?.count ?? 0)
  return { waiting: of('stored'), indexed: of('indexed'), given_up: of('given_up') }
}

/** Those of the photos that are indexed, for the results of a search in their album. */
export function indexedPhotos(db: Db, albumId: string, photoIds: string[]) {
  return db
    .selectFrom('photos')
    .select(['id', 'filename', 'media_type'])
    .where('album_id', '=', albumId)
    .where('state', '=', 'indexed')
    .where('id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .execute()
}
