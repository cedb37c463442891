import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { Photo } from '../database/schema.ts'

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

export async function countHiddenPhotos(db: Db, albumId: string): Promise<number> {
  const row = await db
    .selectFrom('photos')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('album_id', '=', albumId)
    .where(sql<boolean>`state = 'hidden'`)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
