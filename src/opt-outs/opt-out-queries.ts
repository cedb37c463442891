import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import { OPT_OUTS_LISTED } from '../contract/opt-outs.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Database, OptOut, OptOutState, OptOutTable } from '../database/schema.ts'
import { secondsAgo, secondsFromNow } from '../database/times.ts'

export async function insertOptOut(
  trx: Trx,
  { seconds, ...optOut }: Omit<Insertable<OptOutTable>, 'permanent_at'> & { seconds: number | null },
): Promise<OptOut> {
  return await trx
    .insertInto('opt_outs')
    .values({ ...optOut, permanent_at: seconds === null ? null : secondsFromNow(seconds) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findOptOut(db: Db | Trx, id: string): Promise<OptOut | undefined> {
  return db.selectFrom('opt_outs').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The opt-outs of an album that can be taken back, or wait, and then the others: the newest first. So however many there are,
 *  none that can be taken back is missing for long. */
export function optOutsOfAlbum(db: Db, albumId: string): Promise<OptOut[]> {
  return db
    .selectFrom('opt_outs')
    .selectAll()
    .where('album_id', '=', albumId)
    .orderBy(sql`state in ('hidden', 'waiting')`, 'desc')
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

/** Changes the state of an opt-out that is in one of these states, and forgets from where it was asked for.
 *  @param change.seconds from now until it is permanent; undefined: that time stays
 *  @returns undefined when it is in another state */
export async function setState(
  trx: Trx,
  id: string,
  change: { from: OptOutState[]; to: OptOutState; seconds?: number },
): Promise<OptOut | undefined> {
  const { from, to, seconds } = change
  return await trx
    .updateTable('opt_outs')
    .set({
      state: to,
      network_hash: null,
      ...(seconds !== undefined && { permanent_at: secondsFromNow(seconds) }),
    })
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
}

/** Forgets what finds the person in future photos, and a request to hide photos that nobody has answered. */
export async function forgetRequests(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('opt_outs')
    .set({
      person_cipher: null,
      photos_to_hide: sql<null>`case when answer is null then null else photos_to_hide end`,
    })
    .where('id', '=', id)
    .execute()
}

/** Opt-outs whose faces are to be erased now, the oldest first. None of them is erased before its owner could learn of it. */
export function optOutsToEnd(db: Db, limit: number): Promise<Pick<OptOut, 'id' | 'album_id'>[]> {
  return db
    .selectFrom('opt_outs')
    .select(['id', 'album_id'])
    .where(sql<boolean>`state = 'hidden'`)
    .where('permanent_at', '<=', sql<Date>`now()`)
    .where(isTold)
    .orderBy('permanent_at')
    .limit(limit)
    .execute()
}

/** The condition that the letter about an opt-out was sent, or given up. */
function isTold({ exists, selectFrom }: ExpressionBuilder<Database, 'opt_outs'>) {
  return exists(
    selectFrom('letters')
      .select('letters.id')
      .whereRef('letters.id', '=', 'opt_outs.letter_id')
      .where((letter) => letter.or([letter('sent_at', 'is not', null), letter('ended_at', 'is not', null)])),
  )
}

/** Whether it is time to erase the faces of an opt-out. */
export async function isDue(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('opt_outs')
    .select('id')
    .where('id', '=', id)
    .where('permanent_at', '<=', sql<Date>`now()`)
    .where(isTold)
    .executeTakeFirst()
  return row !== undefined
}

/** How many people are to be kept out of an album's photos, or are if the owner says yes. */
export async function countPeopleKeptOut(trx: Trx, albumId: string): Promise<number> {
  const row = await trx
    .selectFrom('opt_outs')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('album_id', '=', albumId)
    .where('person_cipher', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** How many opt-outs of an album wait for the owner: in all, and those that one network has asked for. */
export async function countWaiting(
  trx: Trx,
  albumId: string,
  networkHash: Buffer,
): Promise<{ inAll: number; ofNetwork: number }> {
  const row = await trx
    .selectFrom('opt_outs')
    .select((eb) => [
      eb.fn.countAll<string>().as('in_all'),
      eb.fn.countAll<string>().filterWhere('network_hash', '=', networkHash).as('of_network'),
    ])
    .where('album_id', '=', albumId)
    .where(sql<boolean>`state = 'waiting'`)
    .executeTakeFirstOrThrow()
  return { inAll: Number(row.in_all), ofNetwork: Number(row.of_network) }
}

/** Opt-outs that have waited for the owner longer than this, the oldest first. */
export function optOutsThatWaited(
  db: Db,
  seconds: number,
  limit: number,
): Promise<Pick<OptOut, 'id' | 'album_id'>[]> {
  return db
    .selectFrom('opt_outs')
    .select(['id', 'album_id'])
    .where(sql<boolean>`state = 'waiting'`)
    .where('created_at', '<=', secondsAgo(seconds))
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

/** Takes back what the limits have counted for an opt-out, when their windows have not ended since.
 *  @param keys under which its faces were counted, for so many seconds */
export async function uncountFaces(
  trx: Trx,
  id: string,
  keys: Buffer[],
  windowSeconds: number,
): Promise<void> {
  await trx
    .updateTable('rate_limits')
    .from('opt_outs')
    .set({ count: sql<number>`greatest(rate_limits.count - opt_outs.faces, 0)` })
    .where('opt_outs.id', '=', id)
    .where('rate_limits.key', 'in', keys)
    .where('rate_limits.window_ends_at', '>', sql<Date>`now()`)
    .where(
      'rate_limits.window_ends_at',
      '<=',
      sql<Date>`opt_outs.created_at + make_interval(secs => ${windowSeconds})`,
    )
    .execute()
}

/** The requests to hide photos that the owner has not answered, the oldest first. */
export function openRequests(db: Db, albumId: string): Promise<OptOut[]> {
  return db
    .selectFrom('opt_outs')
    .selectAll()
    .where('album_id', '=', albumId)
    .where('photos_to_hide', 'is not', null)
    .where('answer', 'is', null)
    .orderBy('created_at')
    .execute()
}

export async function recordAnswer(trx: Trx, id: string, answer: 'hide' | 'show'): Promise<void> {
  await trx.updateTable('opt_outs').set({ answer }).where('id', '=', id).execute()
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

/** The photos of its album that the owner has hidden for other guests. */
export async function hiddenForOthers(trx: Trx, optOut: OptOut): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('opt_outs')
    .select(sql<string>`unnest(photos_to_hide)`.as('photo_id'))
    .where('album_id', '=', optOut.album_id)
    .where('answer', '=', 'hide')
    .where('id', '<>', optOut.id)
    .execute()
  return new Set(rows.map(({ photo_id }) => photo_id))
}
