import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { secondsSince } from '../database/times.ts'
import type { QueueFigure } from '../metrics.ts'

/** Makes the work of pg-boss and of the metrics depend on the jobs that are waiting or active, and not on those that
 *  have ended. To be called at every start, after pg-boss has made its tables.
 *
 *  pg-boss reads the whole table every ten seconds for figures that nobody asks for here. `monitor_backoff_on` is how it
 *  postpones them. pg-boss still looks for jobs whose process died. The index finds the active jobs. It is created only
 *  once, because that locks the table for a moment.
 *  @param run runs statements in one transaction */
export async function prepareJobTable(run: (statements: string) => Promise<unknown>): Promise<void> {
  await run(`
    select pg_advisory_xact_lock(hashtext('inframe job table'));
    update pgboss.version set monitor_backoff_on = now() + interval '100 years';
    do $$ begin
      if to_regclass('pgboss.job_common_active') is null then
        create index job_common_active on pgboss.job_common (name, created_on) where state = 'active';
      end if;
    end $$`)
}

/** How many jobs each queue has, by state, and the age of the oldest. */
export async function readQueues(db: Db): Promise<QueueFigure[]> {
  // The conditions are those of two indexes: job_i11 of pg-boss, and the one above.
  const { rows } = await sql<QueueFigure>`
    select queue, state, count(*)::int as count, ${secondsSince(sql`min(created_on)`)} as "oldestSeconds"
    from (
      select name as queue, created_on, case when start_after > now() then 'deferred' else 'waiting' end as state
      from pgboss.job where state < 'active' and not blocked
      union all
      select name, created_on, 'active' from pgboss.job where state = 'active'
    ) jobs
    group by 1, 2`.execute(db)
  return rows
}
