import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { isOpenNow } from '../database/times.ts'
import { isUuid } from '../database/uuid.ts'

/** Which of these photos exist and are not hidden, with their albums, in the order of lists. */
export function photosToZip(db: Db, photoIds: string[]) {
  return db
    .selectFrom('photos')
    .innerJoin('albums', 'albums.id', 'photos.album_id')
    .select([
      'photos.id',
      'photos.album_id',
      'photos.sha256',
      'photos.filename',
      'photos.media_type',
      'photos.width',
      'photos.height',
      'photos.taken_at',
      'photos.created_at',
      'photos.full_bytes',
      'albums.password_version',
      'albums.owner_key_version',
      'albums.opens_at',
      'albums.closes_at',
      'albums.slug',
    ])
    .where('photos.id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .where('photos.state', '<>', 'hidden')
    .orderBy('listed_at')
    .orderBy('listed_name')
    .orderBy('photos.id')
    .execute()
}
export type PhotoToZip = Awaited<ReturnType<typeof photosToZip>>[number]

/** Whether a submission still has its results. */
export async function hasResults(db: Db, submissionId: string): Promise<boolean> {
  if (!isUuid(submissionId)) return false
  const row = await db
    .selectFrom('submissions')
    .select('id')
    .where('id', '=', submissionId)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a photo still exists and is not hidden, and its album still has this password and is open, or the owner asks. */
export async function isStillInAlbum(
  db: Db,
  photoId: string,
  { passwordVersion, ownerKeyVersion }: { passwordVersion: number; ownerKeyVersion: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('photos')
    .innerJoin('albums', 'albums.id', 'photos.album_id')
    .select('photos.id')
    .where('photos.id', '=', photoId)
    .where('photos.state', '<>', 'hidden')
    .where('albums.password_version', '=', passwordVersion)
    .where((one) => one.or([one('albums.owner_key_version', '=', ownerKeyVersion), isOpenNow]))
    .executeTakeFirst()
  return row !== undefined
}
