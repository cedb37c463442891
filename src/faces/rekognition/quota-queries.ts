import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { Lane } from './lanes.ts'
import type { RateChange } from './rate.ts'

/** Requests a second; no lane is slower. */
const LOWEST_RATE = 1
/** How many seconds' worth of permits a process takes at most: few, so that processes take turns quickly, and a new
 *  rate soon counts for all. */
const TAKEN_SECONDS = 0.2
/** Slots that passed unused in this time may still be used: on a busy machine the query itself takes a while. */
const LATE_SECONDS = 0.3

/** What a process says when it asks for permits. */
export interface SlotRequest {
  /** Permits that it could use at once. */
  wanted: number
  /** What its calls since it last asked say about the rate. */
  change: RateChange
}

/** Permits: one at `firstInMs` from now, then one every 1 / rate seconds. */
export interface Slots {
  /** At least 1. */
  permits: number
  /** A little below 0 when the process could have used it already. */
  firstInMs: number
  /** Requests a second of all processes together. */
  rate: number
  /** Whether a call has ever exceeded the quota. */
  isMet: boolean
}

export async function openLane(db: Db, lane: Lane, firstRate: number): Promise<void> {
  const rate = Math.max(LOWEST_RATE, firstRate)
  await sql`
    insert into lane_rates (lane, first_rate, rate) values (${lane}, ${rate}, ${rate})
    on conflict (lane) do update
      set first_rate = excluded.first_rate, rate = excluded.rate, is_met = false
      where lane_rates.first_rate <> excluded.first_rate`.execute(db)
}

/** @param at the time, instead of the database's own */
export async function takeSlots(
  db: Db,
  lane: Lane,
  { wanted, change: { growth, ceiling } }: SlotRequest,
  at?: Date,
): Promise<Slots | undefined> {
  const now = at ? sql`${at}::timestamptz` : sql`clock_timestamp()`
  const { rows } = await sql<Slots>`
    with locked as (
      select * from lane_rates where lane = ${lane} for update
    ), changed as (
      -- The clock is read when the row is locked.
      select lane, next_slot_at, ${now} as at, is_met or ${ceiling !== undefined} as is_met,
        greatest(${LOWEST_RATE}, least(rate + ${growth}::float8, ${ceiling ?? null}::float8)) as rate
      from locked
    ), taken as (
      select *, greatest(next_slot_at, at - make_interval(secs => ${LATE_SECONDS})) as first_slot_at,
        least(${wanted}::int, ceil(rate * ${TAKEN_SECONDS}))::int as permits
      from changed
    )
    update lane_rates as row
    set rate = taken.rate, is_met = taken.is_met,
      next_slot_at = taken.first_slot_at + make_interval(secs => taken.permits / taken.rate)
    from taken where row.lane = taken.lane
    returning taken.permits, taken.rate, taken.is_met as "isMet",
      extract(epoch from taken.first_slot_at - taken.at)::float8 * 1000 as "firstInMs"`.execute(db)
  return rows[0]
}
