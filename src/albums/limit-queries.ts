import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { secondsFromNow } from '../database/times.ts'

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

/** The counts of the current windows, in the order of the keys. */
export async function readCounts(db: Db, keys: Buffer[]): Promise<Counted[]> {
  const rows = await db
    .selectFrom('rate_limits')
    .select(['key', 'count', secondsLeft])
    .where('key', 'in', keys)
    .where('window_ends_at', '>', sql<Date>`now()`)
    .execute()
  return keys.map((key) => rows.find((row) => row.key.equals(key)) ?? { count: 0, secondsLeft: 0 })
}

export async function deleteEndedWindows(db: Db): Promise<void> {
  await db.deleteFrom('rate_limits').where('window_ends_at', '<', sql<Date>`now()`).execute()
}

const secondsLeft = sql<number>`extract(epoch from rate_limits.window_ends_at - now())::float8`.as(
  'secondsLeft',
)
