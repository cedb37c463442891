import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import { secondsAgo } from '../database/times.ts'
import { forgetMatches } from './hidden-queries.ts'

/** After this long, every request and job has ended that was at work with a photo when it was deleted. */
export const REMOVED_AGAIN_SECONDS = 900

/** What the album's counters lose with deleted photos. */
export interface Deleted {
  stored: number
  settled: number
  faces: number
  bytes: number
}

/** Locks those of these photos that the album has. So their matches that another transaction records are recorded before, or never. */
export async function lockPhotos(trx: Trx, albumId: string, photoIds: string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('photos')
    .select('id')
    .where('album_id', '=', albumId)
    .where('id', '=', anyOf(photoIds))
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** The photos of an album that have one of these ids or file names. */
export function photosNamed(
  db: Db,
  albumId: string,
  names: string[],
): Promise<{ id: string; filename: string }[]> {
  return db
    .selectFrom('photos')
    .select(['id', 'filename'])
    .where('album_id', '=', albumId)
    .where(sql<boolean>`(filename = any(${names}) or id::text = any(${names}))`)
    .execute()
}

/** Deletes the rows of photos, with their faces, opted out or not, and their places in results and in requests to hide photos.
 *  Their files are noted as to be removed.
 *  @param photoIds as lockPhotos has given them, in an album that is locked, too */
export async function deletePhotos(trx: Trx, albumId: string, photoIds: string[]): Promise<Deleted> {
  await forgetMatches(trx, albumId, photoIds)
  await sql`
    update opt_outs set photos_to_hide = nullif(
      array(select id from unnest(photos_to_hide) as id where id <> all(${photoIds}::uuid[])), '{}')
    where album_id = ${albumId} and photos_to_hide && ${photoIds}::uuid[]`.execute(trx)
  const { rows } = await sql<Deleted>`
    with gone as (
      delete from photos where id = any(${photoIds}::uuid[]) returning *
    ), noted as (
      insert into deleted_photos (photo_id, album_id, sha256) select id, album_id, sha256 from gone
    )
    select count(*)::integer as stored,
      count(*) filter (where engine is not null)::integer as settled,
      coalesce(sum(face_count), 0)::integer as faces,
      coalesce(sum(size + thumb_bytes + preview_bytes + full_bytes), 0)::float8 as bytes
    from gone`.execute(trx)
  // What is still to come, comes.
  await trx
    .updateTable('upload_rounds')
    .set((row) => ({ total: row('total', '-', rows[0]!.stored) }))
    .where('album_id', '=', albumId)
    .where('closed_at', 'is', null)
    .execute()
  return rows[0]!
}

/** Those of these deleted photos whose files are still to be removed. Nobody claims them before the transaction ends. */
export function lockDeleted(trx: Trx, photoIds: string[]): Promise<{ album_id: string; sha256: Buffer }[]> {
  return trx
    .selectFrom('deleted_photos')
    .select(['album_id', 'sha256'])
    .where('photo_id', '=', anyOf(photoIds))
    .forUpdate()
    .execute()
}

/** Forgets those whose files were removed when nobody could write them any more. */
export async function forgetDeleted(trx: Trx, photoIds: string[]): Promise<void> {
  await trx
    .deleteFrom('deleted_photos')
    .where('photo_id', '=', anyOf(photoIds))
    .where('deleted_at', '<=', secondsAgo(REMOVED_AGAIN_SECONDS))
    .execute()
}

/** Keeps the files of photos that come again, once a removal that is under way has ended. */
export async function claimFiles(db: Db, albumId: string, hashes: Buffer[]): Promise<void> {
  if (hashes.length === 0) return
  await db
    .deleteFrom('deleted_photos')
    .where('album_id', '=', albumId)
    .where('sha256', 'in', hashes)
    .execute()
}

/** Whether the files of one of these are to be removed. */
export async function isAnyDeleted(trx: Trx, albumId: string, hashes: Buffer[]): Promise<boolean> {
  if (hashes.length === 0) return false
  const row = await trx
    .selectFrom('deleted_photos')
    .select('photo_id')
    .where('album_id', '=', albumId)
    .where('sha256', 'in', hashes)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const anyOf = (ids: string[]): RawBuilder<string> => sql<string>`any(${ids}::uuid[])`
