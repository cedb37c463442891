import type { SelfieQueueLimits } from '../admission/selfie-queue.ts'
import type { RefusedBodyLimits } from './refused-bodies.ts'
import type { WorkLimits } from './requests-in-work.ts'
import type { MinimumRate } from './selfie-form.ts'
import type { ZipLimits } from './zip-slots.ts'

const MB = 1024 * 1024

/** What a request may take while it arrives, and the answer of a zip while it is sent. */
export interface ArrivalLimits {
  /** Ms within which the headers of a request have to arrive. */
  headers: number
  /** Ms within which the whole request has to arrive. */
  request: number
  /** Ms between Node's checks of these two. */
  checkEvery: number
  /** The slowest upload that is not ended. The rate is measured over the grace time. */
  uploadRate: MinimumRate
  refusedBody: RefusedBodyLimits
  selfieRate: MinimumRate
  selfies: SelfieQueueLimits
  zips: ZipLimits
  work: WorkLimits
}

export const ARRIVAL_LIMITS: ArrivalLimits = {
  headers: 60_000,
  // A batch of 75 MB then needs 2 Mbit/s; the client of §7 gives up after two minutes.
  request: 300_000,
  checkEvery: 30_000,
  // A phone that changes its network continues sooner. The weakest one sends twice as fast.
  uploadRate: { graceMs: 30_000, bytesPerSecond: 20_000 },
  refusedBody: { ms: 60_000, idleMs: 5_000 },
  // A selfie of 10 MB may take two minutes, one of 3 MB less than one.
  selfieRate: { graceMs: 20_000, bytesPerSecond: 100_000 },
  // About 40 selfies of 3 MB at once.
  selfies: {
    bytes: 128 * MB,
    strangersBytes: 20 * MB,
    perCaller: 2,
    expectedMs: 4_000,
    waitMs: 8_000,
  },
  // All 500 guests of a party at once. A phone in a weak network takes 30 KB/s, and some blocks at a time.
  zips: { atOnce: 500, rate: { graceMs: 60_000, bytesPerSecond: 8_000 } },
  work: {
    // A quick call takes about a millisecond of processor time, so nobody waits longer than a fifth of a second.
    places: 200,
    perCaller: 100,
    // The browsers of 500 guests behind one address, with six connections each, and as many again.
    waiting: 6_000,
    holdMs: 1_000,
    longHoldMs: 100,
    // With 64 KB each.
    ahead: 1_000,
    // 500 bodies of the largest size from one network, and 2,000 from all. Most have less than 200 bytes.
    bodies: { bytes: 128 * MB, bytesPerCaller: 32 * MB, ms: 20_000 },
    // So many pieces, mostly of 64 KB, are sent in a turn of the event loop.
    sending: { places: 8, perCaller: 2, waiting: Number.POSITIVE_INFINITY },
    unsentBytes: 256 * MB,
    lookEvery: 1_000,
  },
}
