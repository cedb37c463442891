import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { Lane } from './governor.ts'
import type { LeaseRequest } from './quota-store.ts'
import type { Learned } from './rate.ts'

/** No slot is handed out that is further off, unless more processes wait than there are slots a second. Each
 *  lease takes half of what is free, so that those who come later find something, too. */
const HORIZON_SECONDS = 1
/** The same until the quota is met for the first time: what has been handed out goes at a rate that is too low. */
const FIRST_HORIZON_SECONDS = 0.3
/** Slots that went by while everybody's leases were on their way may still be used. */
const LATE_SECONDS = 0.1
/** A longer time between two leases was not spent waiting for permits. */
const IDLE_SECONDS = 1

export interface LeaseRow {
  permits: number
  first_in_seconds: number
  learned: Learned
  period: string
  busy_seconds: number
  granted: number
  answered: number
  throttled: number
}

/** A lane that is there keeps what it has learned, as long as it began with the same rate. */
export async function openLane(db: Db, lane: Lane, learned: Learned): Promise<void> {
  await sql`
    insert into request_rates (lane, first_rate, learned)
    values (${lane}, ${learned.rate}, ${JSON.stringify(learned)})
    on conflict (lane) do update
      set first_rate = excluded.first_rate, learned = excluded.learned, period = request_rates.period + 1,
        busy_seconds = 0, granted = 0, answered = 0, throttled = 0
      where request_rates.first_rate <> excluded.first_rate`.execute(db)
}

/** Takes in a report and a lesson and hands out the next slots, in one statement.
 *  @param at the time, instead of the database's own */
export async function leaseSlots(
  db: Db,
  lane: Lane,
  { wanted, report, lesson }: LeaseRequest,
  at?: Date,
): Promise<LeaseRow | undefined> {
  const now = at ? sql`${at}::timestamptz` : sql`clock_timestamp()`
  const { rows } = await sql<LeaseRow>`
    with locked as (
      select * from request_rates where lane = ${lane} for update
    ), timed as (
      -- What the clock says once the row is ours.
      select *, ${now} as at, period = ${lesson?.period ?? -1}::bigint as is_over from locked
    ), learnt as (
      select lane, at, is_over, period + is_over::int as period,
        case when is_over then ${lesson ? JSON.stringify(lesson.learned) : null}::jsonb else learned end as learned,
        least(extract(epoch from at - leased_at)::float8, ${IDLE_SECONDS}) as busy_seconds,
        greatest(next_slot_at, at - make_interval(secs => ${LATE_SECONDS})) as first_slot_at,
        case when period = ${report.period}::bigint then ${report.answered}::int else 0 end as answered,
        case when period = ${report.period}::bigint then ${report.throttled}::int else 0 end as throttled
      from timed
    ), planned as (
      select *, extract(epoch from first_slot_at - at)::float8 as first_in_seconds,
        (learned->>'rate')::float8 as rate,
        case when (learned->>'step')::float8 < 1 then ${HORIZON_SECONDS} else ${FIRST_HORIZON_SECONDS} end::float8 as horizon
      from learnt
    ), leased as (
      select *, least(
          ${wanted}::int, greatest(1, floor(rate * (horizon - first_in_seconds) / 2))
        )::int as permits
      from planned
    )
    update request_rates as row
    set learned = leased.learned,
      period = leased.period,
      leased_at = leased.at,
      next_slot_at = leased.first_slot_at + make_interval(secs => leased.permits / leased.rate),
      busy_seconds = case when is_over then 0 else row.busy_seconds + leased.busy_seconds end,
      granted = case when is_over then 0 else row.granted end + leased.permits,
      answered = case when is_over then 0 else row.answered + leased.answered end,
      throttled = case when is_over then 0 else row.throttled + leased.throttled end
    from leased where row.lane = leased.lane
    returning leased.permits, leased.first_in_seconds, row.learned, row.period, row.busy_seconds, row.granted,
      row.answered, row.throttled`.execute(db)
  return rows[0]
}
