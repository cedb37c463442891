import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/client.ts'

/** The lowest priority that pg-boss can store. */
const LOWEST_PRIORITY = -(2 ** 31)

/** A job's priority for its turn: pg-boss takes higher priorities first. */
export const priorityOfTurn = (turn: number) => Math.max(-turn, LOWEST_PRIORITY)

/** The turn of the job that is taken next, as `turn`; 0 when no job waits. A job that waits for its next try counts only
 *  when no other does: its turn was long ago. pg-boss's index of waiting jobs has them in this order. */
export function nextTurnQuery(queue: string): RawBuilder<{ turn: number }> {
  const first = (condition: RawBuilder<unknown>) => sql`(
    select priority from pgboss.job
    where name = ${queue} and state < 'active' and not blocked and ${condition}
    order by priority desc, created_on limit 1)`
  return sql`select -coalesce(${first(sql`start_after <= now()`)}, ${first(sql`true`)}, 0) as turn`
}

export async function nextTurn(db: Db, queue: string): Promise<number> {
  const { rows } = await nextTurnQuery(queue).execute(db)
  return rows[0]!.turn
}
