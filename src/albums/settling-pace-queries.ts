import { sql } from 'kysely'
import { FORGET_SECONDS, PAUSE_SECONDS } from './settling-pace.ts'

/** What changes in an album's row when photos are settled: the moment, and the weighted counts that `paceOf` reads.
 *  The time before the first photos, and before those that follow a pause, says nothing about the pace, so it is not
 *  counted. The row is locked, so the clock never runs backwards from one change to the next. */
export function paceAfter(settled: number) {
  const passed = sql`extract(epoch from clock_timestamp() - last_settled_at)`
  // Null before the first photos and after a pause. Then the sums below are null, too, and begin at zero.
  const seconds = sql`case when ${passed} <= ${PAUSE_SECONDS}::float8 then ${passed}::float8 end`
  const kept = sql`exp(-${seconds} / ${FORGET_SECONDS}::float8)`
  return {
    last_settled_at: sql<Date>`clock_timestamp()`,
    recently_settled: sql<number>`coalesce(recently_settled * ${kept} + ${settled}::float8, 0)`,
    recent_seconds: sql<number>`coalesce(recent_seconds * ${kept} + ${seconds}, 0)`,
  }
}
