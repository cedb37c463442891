import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { AlbumHourTable } from '../database/schema.ts'
import { secondsAgo, secondsFromNow } from '../database/times.ts'

export interface Counted {
  count: number
  /** Seconds until the window ends and counting starts again. */
  secondsLeft: number
}

/** Counts a call under a key, in the current window or a new one of `windowSeconds`. One statement, so that simultaneous
 *  calls get different counts.
 *  @param most the call above it is not counted
 *  @returns the count with this call; undefined when it is not counted */
export async function countWithin(
  db: Db,
  key: Buffer,
  { windowSeconds, most }: { windowSeconds: number; most: number },
): Promise<number | undefined> {
  if (most < 1) return undefined
  const isOver = sql<boolean>`rate_limits.window_ends_at <= now()`
  const row = await db
    .insertInto('rate_limits')
    .values({ key, count: 1, window_ends_at: secondsFromNow(windowSeconds) })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          count: sql<number>`case when ${isOver} then 1 else rate_limits.count + 1 end`,
          window_ends_at: sql<Date>`case when ${isOver}
            then excluded.window_ends_at else rate_limits.window_ends_at end`,
        })
        .where(sql<boolean>`${isOver} or rate_limits.count < ${most}`),
    )
    .returning('count')
    .executeTakeFirst()
  return row?.count
}

/** The count of the current window of a key. */
export async function readCount(db: Db, key: Buffer): Promise<Counted> {
  const row = await db
    .selectFrom('rate_limits')
    .select(['count', secondsLeft])
    .where('key', '=', key)
    .where('window_ends_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row ?? { count: 0, secondsLeft: 0 }
}

export async function deleteEndedWindows(db: Db): Promise<void> {
  await db.deleteFrom('rate_limits').where('window_ends_at', '<', sql<Date>`now()`).execute()
}

const secondsLeft = sql<number>`extract(epoch from rate_limits.window_ends_at - now())::float8`.as(
  'secondsLeft',
)

/** How long a session cookie is valid. */
export const SESSION_SECONDS = 30 * 24 * 3600

/** Ends a session. Copies of its cookie are no longer valid. */
export async function endSession(db: Db, sessionId: string): Promise<void> {
  await db
    .insertInto('ended_sessions')
    .values({ id: sessionId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function hasSessionEnded(db: Db, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('ended_sessions')
    .select('id')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the sessions whose cookies have expired anyway. */
export async function forgetEndedSessions(db: Db): Promise<void> {
  await db.deleteFrom('ended_sessions').where('ended_at', '<', secondsAgo(SESSION_SECONDS)).execute()
}

/** Counts a search in each of these albums that still exist. Searches of the same minute share a row.
 *  @returns in how many albums it was counted */
export async function addConsent(db: Db, albumIds: string[], version: number): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into consents (album_id, version, minute, searches)
    select id, ${version}, date_trunc('minute', now()), 1
    from albums where id = any(${albumIds}::uuid[])
    order by id for key share
    on conflict (album_id, version, minute) do update set searches = consents.searches + 1`.execute(db)
  return Number(numAffectedRows)
}

/** What is counted of an album's guests. */
export type GuestCounts = Partial<Omit<Record<keyof Insertable<AlbumHourTable>, number>, 'album_id' | 'hour'>>

/** Adds to the numbers of this hour. Nothing is added for an album that has been erased. */
export async function addToHour(db: Db | Trx, albumId: string, counts: GuestCounts): Promise<void> {
  const names = Object.keys(counts)
  const added = names.map(
    (name) => sql`${sql.ref(name)} = album_hours.${sql.ref(name)} + excluded.${sql.ref(name)}`,
  )
  await sql`
    insert into album_hours (album_id, hour, ${sql.join(names.map((name) => sql.ref(name)))})
    select id, date_trunc('hour', now(), 'UTC'), ${sql.join(Object.values(counts).map((count) => sql`${count}::integer`))}
    from albums where id = ${albumId} for key share
    on conflict (album_id, hour) do update set ${sql.join(added)}`.execute(db)
}

/** The hours in which guests did something, the oldest first. */
export function hoursOfAlbum(db: Db, albumId: string) {
  return db.selectFrom('album_hours').selectAll().where('album_id', '=', albumId).orderBy('hour').execute()
}

export async function insertInvitation(
  trx: Trx,
  { codeHash, albums, seconds }: { codeHash: Buffer; albums: number; seconds: number },
): Promise<{ expires_at: Date }> {
  return await trx
    .insertInto('invitations')
    .values({ code_hash: codeHash, albums_left: albums, expires_at: secondsFromNow(seconds) })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
}

export function findInvitation(db: Db | Trx, codeHash: Buffer) {
  return db
    .selectFrom('invitations')
    .select(['albums_left', sql<boolean>`expires_at <= now()`.as('is_expired')])
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
}

/** Uses an invitation for one album.
 *  @returns whether it was still valid */
export async function takeFromInvitation(trx: Trx, codeHash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('invitations')
    .set((row) => ({ albums_left: row('albums_left', '-', 1) }))
    .where('code_hash', '=', codeHash)
    .where('albums_left', '>', 0)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
