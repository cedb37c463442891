import type { RefusedBodyLimits } from './refused-bodies.ts'
import type { MinimumRate } from './selfie-form.ts'
import type { SelfieMemoryLimits } from './selfie-memory.ts'

const MB = 1024 * 1024

/** What a request may take while it arrives. */
export interface ArrivalLimits {
  /** Ms within which the headers of a request have to arrive. */
  headers: number
  /** Ms within which the whole request has to arrive. */
  request: number
  /** Ms between Node's checks of these two. */
  checkEvery: number
  /** Ms for which no byte of an upload may arrive. */
  uploadPause: number
  refusedBody: RefusedBodyLimits
  selfieRate: MinimumRate
  selfieMemory: SelfieMemoryLimits
  /** For callers who have shown no right to an album yet. */
  strangersMemory: SelfieMemoryLimits
}

export const ARRIVAL_LIMITS: ArrivalLimits = {
  headers: 60_000,
  // A batch of 75 MB then needs 2 Mbit/s; the client of §7 gives up after two minutes.
  request: 300_000,
  checkEvery: 30_000,
  // A phone that changes its network continues sooner.
  uploadPause: 30_000,
  refusedBody: { ms: 60_000, idleMs: 5_000 },
  // A selfie of 10 MB may take two minutes, one of 3 MB less than one.
  selfieRate: { graceMs: 20_000, bytesPerSecond: 100_000 },
  // About 40 selfies of 3 MB at once, and 20 of them from one address.
  selfieMemory: { total: 128 * MB, perAddress: 64 * MB, perCaller: 2, waiting: 100, waitMs: 5_000 },
  strangersMemory: { total: 20 * MB, perAddress: 10 * MB, perCaller: 1, waiting: 20, waitMs: 2_000 },
}
