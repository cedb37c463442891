import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { secondsFromNow } from '../database/times.ts'

/** Which of these photos exist and are not hidden, with their albums and what is known of their downloads. */
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
      'photos.taken_at',
      'photos.created_at',
      'photos.download_size',
      'photos.download_crc32',
      'albums.password_version',
      'albums.slug',
    ])
    .where('photos.id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .where('photos.state', '<>', 'hidden')
    .execute()
}
export type PhotoToZip = Awaited<ReturnType<typeof photosToZip>>[number]

/** Keeps the size and checksum of a photo's download, or forgets them. */
export async function setDownloadFacts(
  db: Db,
  { album_id, sha256 }: Pick<PhotoToZip, 'album_id' | 'sha256'>,
  facts: { size: number; crc32: number } | undefined,
): Promise<void> {
  await db
    .updateTable('photos')
    .set({ download_size: facts?.size ?? null, download_crc32: facts?.crc32 ?? null })
    .where('album_id', '=', album_id)
    .where('sha256', '=', sha256)
    .execute()
}

/** Whether a photo still exists and is not hidden, and its album still has this password. */
export async function isStillInAlbum(
  db: Db,
  photo: { albumId: string; passwordVersion: number; sha256: Buffer },
): Promise<boolean> {
  const row = await db
    .selectFrom('photos')
    .innerJoin('albums', 'albums.id', 'photos.album_id')
    .select('photos.id')
    .where('photos.album_id', '=', photo.albumId)
    .where('photos.sha256', '=', photo.sha256)
    .where('photos.state', '<>', 'hidden')
    .where('albums.password_version', '=', photo.passwordVersion)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertZipParts(
  db: Db,
  parts: { token_hash: Buffer; album_id: string; password_version: number; sealed: Buffer }[],
  lifetimeSeconds: number,
): Promise<void> {
  const ends_at = secondsFromNow(lifetimeSeconds)
  await db
    .insertInto('zip_parts')
    .values(parts.map((part) => ({ ...part, ends_at })))
    .execute()
}

/** A part that has not ended, and the current password version of its album. */
export function findZipPart(db: Db, tokenHash: Buffer) {
  return db
    .selectFrom('zip_parts')
    .innerJoin('albums', 'albums.id', 'zip_parts.album_id')
    .select([
      'zip_parts.album_id',
      'zip_parts.password_version',
      'zip_parts.sealed',
      'albums.password_version as current_version',
    ])
    .where('token_hash', '=', tokenHash)
    .where('ends_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

export async function deleteEndedZips(db: Db): Promise<void> {
  await db.deleteFrom('zip_parts').where('ends_at', '<', sql<Date>`now()`).execute()
}
