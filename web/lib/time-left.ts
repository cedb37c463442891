import { timeLeft as texts } from '../../src/texts/english/album-progress.ts'
/** 'about 3 minutes left'. Steps are coarse, so that the text does not change all the time. */
export function timeLeft(seconds: number): string {
  if (seconds < 10) return texts.fewSeconds
  if (seconds < 55) return texts.seconds(Math.ceil(seconds / 10) * 10)
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return texts.minutes(minutes)
  return texts.hours(Math.round(minutes / 30) / 2)
}

/** Polled estimates go up and down. A change up to this part, or this many seconds, is not shown. */
const NO_NEWS = { part: 0.08, seconds: 5 }

/** What to show after `shown`: the same, unless the estimate differs clearly from it. This keeps the text stable.
 *  @param estimate in seconds; null while it is unknown */
export function steady(shown: number | null, estimate: number | null): number | null {
  if (shown === null || estimate === null) return estimate
  const difference = Math.abs(estimate - shown)
  return difference <= Math.max(NO_NEWS.seconds, shown * NO_NEWS.part) ? shown : estimate
}
