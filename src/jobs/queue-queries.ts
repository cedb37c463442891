import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { QueueFigure } from '../metrics.ts'

/** How many jobs each queue has, by state, and the age of the oldest. */
export async function readQueues(db: Db): Promise<QueueFigure[]> {
  const { rows } = await sql<QueueFigure>`
    select name as queue,
      case when state = 'active' then 'active' when start_after > now() then 'deferred' else 'waiting' end as state,
      count(*)::int as count,
      extract(epoch from now() - min(created_on))::float8 as "oldestSeconds"
    from pgboss.job
    where state <= 'active'
    group by 1, 2`.execute(db)
  return rows
}
