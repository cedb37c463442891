import { type Insertable, sql } from 'kysely'
import { OPT_OUTS_LISTED } from '../contract/opt-outs.ts'
import type { Db, Trx } from '../database/client.ts'
import type { OptOut, OptOutState, OptOutTable } from '../database/schema.ts'
import { secondsAgo, secondsSince } from '../database/times.ts'

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
    .where(IS_DUE)
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
    .where(IS_DUE)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

const IS_DUE = sql<boolean>`state = 'active' and erase_at <= now() and told_at is not null`

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

/** How many people are kept out of an album's photos. */
export async function countPeopleKeptOut(trx: Trx, albumId: string): Promise<number> {
  const row = await trx
    .selectFrom('opt_outs')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('album_id', '=', albumId)
    .where('person_cipher', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Those that have ended need no letter. */
const TOLD_STATES: OptOutState[] = ['active', 'erased']

/** The opt-outs that no letter to the owner has named, the oldest first. */
export function untoldOptOuts(trx: Trx, albumId: string): Promise<OptOut[]> {
  return trx
    .selectFrom('opt_outs')
    .selectAll()
    .where('album_id', '=', albumId)
    .where('told_at', 'is', null)
    .where('state', 'in', TOLD_STATES)
    .orderBy('created_at')
    .execute()
}

/** The albums with opt-outs that no letter has named, apart from those that had a letter within this pause.
 *  @param pause in seconds, for an address that is confirmed and one that is not */
export async function albumsWithUntold(
  trx: Trx,
  pause: { confirmed: number; unconfirmed: number },
): Promise<string[]> {
  const rows = await trx
    .selectFrom('albums')
    .select('albums.id')
    .where('albums.id', 'in', (query) =>
      query
        .selectFrom('opt_outs')
        .select('album_id')
        .where('told_at', 'is', null)
        .where('state', 'in', TOLD_STATES),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('opt_outs as named')
            .select('named.id')
            .whereRef('named.album_id', '=', 'albums.id')
            .where('named.letter_id', 'is not', null)
            .where(
              'named.told_at',
              '>',
              sql<Date>`now() - make_interval(secs =>
                case when albums.address_confirmed_at is null then ${pause.unconfirmed}::integer
                  else ${pause.confirmed}::integer end)`,
            ),
        ),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Seconds since the last letter about opt-outs; undefined when there was none. */
export async function secondsSinceTold(trx: Trx, albumId: string): Promise<number | undefined> {
  const row = await trx
    .selectFrom('opt_outs')
    .select(secondsSince<number | null>(sql`max(told_at)`).as('seconds'))
    .where('album_id', '=', albumId)
    .where('letter_id', 'is not', null)
    .executeTakeFirst()
  return row?.seconds ?? undefined
}

export async function assignLetter(trx: Trx, ids: string[], letterId: string): Promise<void> {
  await trx
    .updateTable('opt_outs')
    .set({ letter_id: letterId })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Records that a letter has named these opt-outs, or that none will.
 *  @param letterId changes only those that still have it: another letter is for a new owner
 *  @returns whether there were any */
export async function markTold(db: Db | Trx, ids: string[], letterId?: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('opt_outs')
    .set({ told_at: sql<Date>`now()` })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .$if(letterId !== undefined, (query) => query.where('letter_id', '=', letterId!))
    .executeTakeFirst()
  return numUpdatedRows > 0
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

/** The photos of an album that the owner has hidden for other guests than that of this opt-out. */
export async function hiddenForOthers(trx: Trx, albumId: string, id: string): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('opt_outs')
    .select(sql<string>`unnest(photos_to_hide)`.as('photo_id'))
    .where('album_id', '=', albumId)
    .where('answer', '=', 'hide')
    .where('id', '<>', id)
    .execute()
  return new Set(rows.map(({ photo_id }) => photo_id))
}
