import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import { OPT_OUTS_LISTED } from '../contract/limits.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Database, OptOut, OptOutTable } from '../database/schema.ts'
import { secondsAgo } from '../database/times.ts'

export function insertOptOut(trx: Trx, optOut: Insertable<OptOutTable>): Promise<OptOut> {
  return trx.insertInto('opt_outs').values(optOut).returningAll().executeTakeFirstOrThrow()
}

export function findOptOut(db: Db | Trx, id: string): Promise<OptOut | undefined> {
  return db.selectFrom('opt_outs').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The opt-outs of an album that can be undone, and then the others: the newest first. So however many there are, none that can
 *  be undone is missing for long. */
export function optOutsOfAlbum(db: Db, albumId: string): Promise<OptOut[]> {
  return db
    .selectFrom('opt_outs')
    .selectAll()
    .where('album_id', '=', albumId)
    .orderBy(sql`state = 'active'`, 'desc')
    .orderBy('created_at', 'desc')
    .limit(OPT_OUTS_LISTED)
    .execute()
}

/** All opt-outs of an album on a day.
 *  @param day in UTC, such as `2026-06-20` */
export function optOutsOfDay(db: Db, albumId: string, day: string): Promise<OptOut[]> {
  return db
    .selectFrom('opt_outs')
    .selectAll()
    .where('album_id', '=', albumId)
    .where(sql<boolean>`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') = ${day}`)
    .execute()
}

/** The opt-outs of an album whose id begins with these digits, at most two. */
export function optOutsWithId(db: Db, albumId: string, digits: string): Promise<OptOut[]> {
  return db
    .selectFrom('opt_outs')
    .selectAll()
    .where('album_id', '=', albumId)
    .where(sql<boolean>`starts_with(id::text, ${digits})`)
    .limit(2)
    .execute()
}

/** Those of these opt-outs that are in an album. */
export async function idsInAlbum(db: Db, albumId: string, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('opt_outs')
    .select('id')
    .where('album_id', '=', albumId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return rows.map(({ id }) => id)
}

/** Undoes an opt-out that is active, and forgets what finds the person in future photos, and a request to hide photos that
 *  nobody has answered.
 *  @param undone.isCounted whether its faces still count for the limits of the hour
 *  @returns false when it is in another state */
export async function markUndone(
  trx: Trx,
  id: string,
  { isCounted }: { isCounted: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('opt_outs')
    .set({
      state: 'undone',
      person_cipher: null,
      photos_to_hide: sql<null>`case when answer is null then null else photos_to_hide end`,
      ...(!isCounted && { caller_hash: null }),
    })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Opt-outs whose faces are to be erased now, the oldest first. None of them is erased before its owner could learn of it. */
export function optOutsToErase(db: Db, limit: number): Promise<Pick<OptOut, 'id' | 'album_id'>[]> {
  return db
    .selectFrom('opt_outs')
    .select(['id', 'album_id'])
    .where(isDue)
    .orderBy('erase_at')
    .limit(limit)
    .execute()
}

/** @returns false when it is not due, or was undone */
export async function markErased(trx: Trx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('opt_outs')
    // Guests and owners read when it was.
    .set({ state: 'erased', erase_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(isDue)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** The condition that nobody has undone an opt-out in time, and that the letter about it was sent, or given up. */
function isDue({ and, exists, selectFrom }: ExpressionBuilder<Database, 'opt_outs'>) {
  const isTold = exists(
    selectFrom('letters')
      .select('letters.id')
      .whereRef('letters.id', '=', 'opt_outs.letter_id')
      .where((letter) => letter.or([letter('sent_at', 'is not', null), letter('ended_at', 'is not', null)])),
  )
  return and([sql<boolean>`state = 'active' and erase_at <= now()`, isTold])
}

/** How many faces were opted out of an album within the last hour, as the limits count them: in all, and by one caller. */
export async function facesOfLastHour(
  trx: Trx,
  albumId: string,
  callerHash: Buffer,
): Promise<{ ofAlbum: number; ofCaller: number }> {
  return await trx
    .selectFrom('opt_outs')
    .select((eb) => [
      sql<number>`coalesce(sum(faces), 0)::integer`.as('ofAlbum'),
      sql<number>`coalesce(sum(faces) filter (where ${eb('caller_hash', '=', callerHash)}), 0)::integer`.as(
        'ofCaller',
      ),
    ])
    .where('album_id', '=', albumId)
    .where('created_at', '>', secondsAgo(3600))
    .where('caller_hash', 'is not', null)
    .executeTakeFirstOrThrow()
}

/** Forgets where opt-outs were asked for, when the limits no longer count them. */
export async function forgetCallers(db: Db): Promise<void> {
  await db
    .updateTable('opt_outs')
    .set({ caller_hash: null })
    .where('caller_hash', 'is not', null)
    .where('created_at', '<=', secondsAgo(3600))
    .execute()
}

/** Records the owner's answer to a request to hide photos.
 *  @returns the photos; undefined when there is no such request */
export async function recordAnswer(
  trx: Trx,
  albumId: string,
  id: string,
  answer: 'hide' | 'show',
): Promise<string[] | undefined> {
  const row = await trx
    .updateTable('opt_outs')
    .set({ answer })
    .where('id', '=', id)
    .where('album_id', '=', albumId)
    .where('photos_to_hide', 'is not', null)
    .returning('photos_to_hide')
    .executeTakeFirst()
  return row?.photos_to_hide ?? undefined
}

/** Records for all requests about an album that its photos are shown. */
export async function recordAllShown(trx: Trx, albumId: string): Promise<void> {
  await trx
    .updateTable('opt_outs')
    .set({ answer: 'show' })
    .where('album_id', '=', albumId)
    .where('answer', '=', 'hide')
    .execute()
}

/** The photos of an album that the owner has hidden for guests who have asked.
 *  @param except the opt-out of a guest who is not counted */
export async function hiddenForGuests(trx: Trx, albumId: string, except?: string): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('opt_outs')
    .select(sql<string>`unnest(photos_to_hide)`.as('photo_id'))
    .where('album_id', '=', albumId)
    .where('answer', '=', 'hide')
    .$if(except !== undefined, (query) => query.where('id', '<>', except!))
    .execute()
  return new Set(rows.map(({ photo_id }) => photo_id))
}
