import type { GuestNumbers } from '../../../../src/contract/albums/album-guests.ts'

type Counted = GuestNumbers['hours'][number]

/** An hour or a day, and what guests did in it. */
export interface Period {
  /** When it begins. */
  start: Date
  entered: number
  found: number
}

/** More hours than these are shown as days. */
const MOST_HOURS = 48
/** The chart has the last ones. */
const MOST_DAYS = 92

/** The hours, or the days by the clock of the browser, from the first to the last in which anything was counted. */
export function periodsOf(hours: readonly Counted[]): { isDaily: boolean; periods: Period[] } {
  const [first, last] = [hours[0], hours.at(-1)]
  if (!first || !last) return { isDaily: false, periods: [] }
  const isDaily = new Date(last.hour).getTime() - new Date(first.hour).getTime() >= MOST_HOURS * 3_600_000
  const startOf = (iso: string) => {
    const start = new Date(iso)
    if (isDaily) start.setHours(0, 0, 0, 0)
    return start
  }
  const periods = new Map<number, Period>()
  for (const start = startOf(first.hour); start <= startOf(last.hour); next(start, isDaily))
    periods.set(start.getTime(), { start: new Date(start), entered: 0, found: 0 })
  for (const { hour, entered, found } of hours) {
    const period = periods.get(startOf(hour).getTime())!
    period.entered += entered
    period.found += found
  }
  return { isDaily, periods: [...periods.values()].slice(-MOST_DAYS) }
}

/** A day has 23 or 25 hours when the clocks change. */
function next(start: Date, isDaily: boolean): void {
  if (isDaily) start.setDate(start.getDate() + 1)
  else start.setTime(start.getTime() + 3_600_000)
}
