import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { Photo } from '../database/schema.ts'
import { KINDS } from './owner-queries.ts'

/** Hides these photos of an album, also from the results of submissions. Those that wait are still indexed, and stay hidden.
 *  @returns how many were hidden now */
export async function hidePhotos(trx: Trx, albumId: string, photoIds: string[]): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('photos')
    .set({ state: 'hidden' })
    .where('id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .where('album_id', '=', albumId)
    .where('state', '<>', 'hidden')
    .executeTakeFirst()
  await forgetMatches(trx, albumId, photoIds)
  return Number(numUpdatedRows)
}

/** Takes photos of an album out of the results of submissions. */
export async function forgetMatches(trx: Trx, albumId: string, photoIds: string[]): Promise<void> {
  await sql`
    with gone as (
      delete from submission_matches where photo_id = any(${photoIds}::uuid[]) returning submission_id
    ), counted as (
      select submission_id, count(*)::integer as matches from gone group by submission_id
    )
    update submission_albums as searched set matches = searched.matches - counted.matches
    from counted
    where searched.submission_id = counted.submission_id and searched.album_id = ${albumId}`.execute(trx)
}

/** Shows hidden photos again.
 *  @param photoIds without them, all hidden photos of the album
 *  @returns how many are shown again */
export async function showPhotos(trx: Trx, albumId: string, photoIds?: string[]): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('photos')
    .set({
      state: sql<Photo['state']>`case when face_count is not null then 'indexed'
        when given_up_reason is not null then 'given_up' else 'stored' end`,
    })
    .where('album_id', '=', albumId)
    .where(sql<boolean>`state = 'hidden'`)
    .$if(photoIds !== undefined, (query) => query.where('id', '=', sql<string>`any(${photoIds}::uuid[])`))
    .executeTakeFirst()
  return Number(numUpdatedRows)
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

/** What the album's counters lose with deleted photos. */
interface Deleted {
  ids: string[]
  hashes: string[]
  settled: number
  faces: number
  bytes: number
}

/** Deletes the rows of those of these photos that the album has, with their faces, opted out or not, and their places in
 *  results, in requests to hide photos, and as the cover.
 *  @param trx has locked the album */
export async function deletePhotos(trx: Trx, albumId: string, wanted: string[]): Promise<Deleted> {
  // Their matches that another transaction records are recorded before, or never.
  const locked = await trx
    .selectFrom('photos')
    .select('id')
    .where('album_id', '=', albumId)
    .where('id', '=', sql<string>`any(${wanted}::uuid[])`)
    .forUpdate()
    .execute()
  const ids = locked.map(({ id }) => id)
  await forgetMatches(trx, albumId, ids)
  await sql`
    update opt_outs set photos_to_hide = nullif(
      array(select id from unnest(photos_to_hide) as id where id <> all(${ids}::uuid[])), '{}')
    where album_id = ${albumId} and photos_to_hide && ${ids}::uuid[]`.execute(trx)
  await trx
    .updateTable('albums')
    .set({ settings: sql`settings || '{"coverId": null}'` })
    .where('id', '=', albumId)
    .where(sql<string>`settings ->> 'coverId'`, '=', sql<string>`any(${ids})`)
    .execute()
  const { rows } = await sql<Deleted>`
    with gone as (delete from photos where id = any(${ids}::uuid[]) returning *)
    select coalesce(array_agg(id::text), '{}') as ids,
      coalesce(array_agg(encode(sha256, 'hex')), '{}') as hashes,
      count(*) filter (where engine is not null)::integer as settled,
      coalesce(sum(face_count), 0)::integer as faces,
      coalesce(sum(size), 0)::float8 as bytes
    from gone`.execute(trx)
  // What is still to come, comes.
  await trx
    .updateTable('upload_rounds')
    .set((row) => ({ total: row('total', '-', ids.length) }))
    .where('album_id', '=', albumId)
    .where('closed_at', 'is', null)
    .execute()
  return rows[0]!
}

/** Shifts the clock of a camera.
 *  @returns how many photos it has taken */
export async function shiftClock(
  trx: Trx,
  albumId: string,
  { camera, minutes }: { camera: string; minutes: number },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('photos')
    .set({ shift_minutes: minutes })
    .where('album_id', '=', albumId)
    .where('camera', '=', camera)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Lets photos that were given up wait for the face engine again.
 *  @returns their ids */
export async function waitAgain(trx: Trx, albumId: string): Promise<string[]> {
  const rows = await trx
    .updateTable('photos')
    .set({ state: 'stored', engine: null, given_up_reason: null })
    .where('album_id', '=', albumId)
    .where(KINDS.given_up)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
