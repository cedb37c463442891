/** The shared request rate of a lane, learned from how calls end. No quota is known beforehand: it differs by region and
 *  account, and may change. The rule is additive increase and multiplicative decrease:
 *
 *  1. The rate starts at REKOGNITION_TPS. Each answer adds to it, so it doubles again and again, until a call exceeds
 *     the quota for the first time. That halves the rate.
 *  2. From then on each answer adds a little, and each refusal takes the rate slightly below the one that was refused.
 *     It stays within some percent of the quota; one call in five to ten is refused, and repeated.
 *
 *  All processes share a lane's rate: one row in Postgres (quota-queries.ts). */

/** How calls have ended, of those that say something about the quota. */
export interface CallReport {
  /** Calls that the service took while others waited for a permit. While nobody waits, the rate is not used up, and
   *  an answer does not show that more would be taken. */
  answered: number
  /** Calls that the service was "temporarily unable to process" (ThrottlingException). It says so at any rate, so these
   *  only slow the growth. */
  throttled: number
  /** The lowest rate at which a call was sent that exceeded the quota (ProvisionedThroughputExceededException).
   *  Undefined when there was none. */
  refusedRate: number | undefined
}

/** How the rate changes after a report, in requests a second. */
export interface RateChange {
  /** To be added. */
  growth: number
  /** What the rate becomes at most; undefined for no limit. */
  ceiling: number | undefined
}

/** What each answer adds until the quota is met for the first time. */
const FIRST_GROWTH = 2
/** What each answer adds afterwards: 10% a second, at any rate. */
const GROWTH = 0.1
/** What the first refusal leaves of the rate, which had been growing fast. */
const FIRST_CUT = 0.5
/** What every other refusal leaves of it. */
const CUT = 0.95

/** A refused call shows that the rate it was sent at is too high. The rate falls slightly below that one, so calls that
 *  were sent before it fell do not count again.
 *  @param isMet whether the quota has been met before */
export function rateChange({ answered, throttled, refusedRate }: CallReport, isMet: boolean): RateChange {
  return {
    growth: (isMet ? GROWTH : FIRST_GROWTH) * (answered - throttled),
    ceiling: refusedRate && refusedRate * (isMet ? CUT : FIRST_CUT),
  }
}
