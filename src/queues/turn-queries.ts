import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/client.ts'

/** The lowest priority that pg-boss can store. */
const LOWEST_PRIORITY = -(2 ** 31)

/** A job's priority for its turn: pg-boss takes higher priorities first. */
export const priorityOfTurn = (turn: number) => Math.max(-turn, LOWEST_PRIORITY)

/** From here on priorities are those of jobs that come last. Turns are far above it. */
const LAST_PRIORITY = -(2 ** 30)

/** Puts a job that is running behind all others of its queue, should it be tried again, and behind those that have failed less
 *  often. */
export async function putLast(db: Db, queue: string, jobId: string, attempt: number): Promise<void> {
  await sql`update pgboss.job set priority = ${LAST_PRIORITY - attempt}
    where name = ${queue} and id = ${jobId}`.execute(db)
}

/** The turn of the job that is taken next, as `turn`; 0 when no job waits. Jobs that come last have no turn. A job
 *  that is tried again counts only when no other job waits: its turn was long ago. pg-boss's index of waiting jobs
 *  has them in this order. */
export function nextTurnQuery(queue: string): RawBuilder<{ turn: number }> {
  const first = (condition: RawBuilder<unknown>) => sql`(
    select priority from pgboss.job
    where name = ${queue} and state < 'active' and not blocked and priority > ${LAST_PRIORITY} and ${condition}
    order by priority desc, created_on limit 1)`
  return sql`select -coalesce(${first(sql`start_after <= now()`)}, ${first(sql`true`)}, 0) as turn`
}

export async function nextTurn(db: Db, queue: string): Promise<number> {
  const { rows } = await nextTurnQuery(queue).execute(db)
  return rows[0]!.turn
}

/** How many jobs of a queue wait for an owner's turns. Those that are sent for later do not. */
export async function countWaitingJobs(db: Db, queue: string, owner: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pgboss.job
    where name = ${queue} and state < 'active' and not blocked and group_id = ${owner}
      and (state = 'retry' or start_after <= now())`.execute(db)
  return rows[0]!.count
}
