import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import { forgetMatches } from './hidden-queries.ts'

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
    .set({ cover_photo_id: null })
    .where('id', '=', albumId)
    .where('cover_photo_id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const { rows } = await sql<Deleted>`
    with gone as (delete from photos where id = any(${ids}::uuid[]) returning *)
    select coalesce(array_agg(id::text), '{}') as ids,
      coalesce(array_agg(encode(sha256, 'hex')), '{}') as hashes,
      count(*) filter (where engine is not null)::integer as settled,
      coalesce(sum(face_count), 0)::integer as faces,
      coalesce(sum(size + thumb_bytes + preview_bytes + full_bytes), 0)::float8 as bytes
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
