import type { Lane } from './governor.ts'
import type { Learned, Period } from './rate.ts'

/** What a process has to say when it asks for permits. */
export interface LeaseRequest {
  /** Permits it could use at once. */
  wanted: number
  /** What became of its calls since it last asked, of those with permits of this period only. */
  report: { period: number; answered: number; throttled: number }
  /** What a period that is over has taught; void when another process was faster. */
  lesson: { period: number; learned: Learned } | undefined
}

export interface Lease {
  /** How many, at least 1: one at `firstInMs` from now, then one every `everyMs`. */
  permits: number
  /** A little below 0 when this process could have had it already. */
  firstInMs: number
  everyMs: number
  learned: Learned
  /** Goes up whenever the rate may change; permits belong to the one that they were leased in. */
  period: number
  /** How the period has gone so far, for all processes. */
  sofar: Period
}

/** Where the processes share what they know of the quotas. Each lane is a row of time slots, one every 1 / rate
 *  seconds; a lease hands out the next ones, so all processes together send at the lane's rate. A process has
 *  one lease at a time and asks for the next when it is used up, so they take turns, and what a dead process
 *  has leased goes by within a second. */
export interface QuotaStore {
  /** Makes the lane begin with this rate, unless it did already. */
  open(lane: Lane, learned: Learned): Promise<void>
  /** One round trip. Undefined when the lane has not been opened. */
  lease(lane: Lane, request: LeaseRequest): Promise<Lease | undefined>
}
