import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Queue } from './queue.ts'

/** For how many seconds the job of a queue that is taken next has waited; 0 when none waits. Jobs that are tried again do
 *  not count. Infinity when more than `most` jobs wait. */
export async function secondsWaited(db: Db, queue: Queue, most: number): Promise<number> {
  const { rows } = await firstJobsQuery(queue.name, most + 1).execute(db)
  const { jobs, seconds } = rows[0]!
  return jobs > most ? Number.POSITIVE_INFINITY : seconds
}

/** How many of the first jobs of a queue wait, and for how long the first has. pg-boss's index of waiting jobs has them in
 *  this order. */
export function firstJobsQuery(queue: string, limit: number): RawBuilder<{ jobs: number; seconds: number }> {
  return sql`
    select count(*)::int as jobs,
      coalesce(extract(epoch from clock_timestamp() - min(created_on)), 0)::float8 as seconds
    from (
      select created_on from pgboss.job
      where name = ${queue} and state = 'created' and not blocked and start_after <= now()
      order by priority desc, created_on limit ${limit}
    ) as first`
}
