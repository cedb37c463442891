import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { createPermits, type Permits } from './permits.ts'
import type { QuotaStore } from './quota-store.ts'
import { newLearned } from './rate.ts'
import { type PassingFault, passingFault } from './retryable.ts'

/** Guests' searches, photos to be indexed, and everything else. The service counts each operation on its own
 *  ("Amazon Rekognition endpoints and quotas" in the AWS General Reference: transactions per second per account,
 *  for IndexFaces and for SearchFacesByImage 50 in us-east-1 and us-west-2 and 5 in many other regions, for
 *  CreateCollection and DeleteCollection 5), so no lane can starve another. */
export type Lane = 'search' | 'index' | 'manage'

/** Keeps calls within the account's quotas: waits for a permit, calls, and calls again what failed in passing. */
export interface Governor {
  /** @throws AppError SERVICE_UNAVAILABLE when no answer could be had in the time that the lane allows, or the
   *  governor was closed; and what the call throws when that is not worth trying again */
  run<Answer>(lane: Lane, call: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>
  /** Ends the calls that wait or are under way. */
  close(): Promise<void>
}

/** What one process has seen of a lane since it started. */
export interface LaneFigures {
  /** Requests a second that all processes together may send, as far as this one knows. */
  rate: number
  /** Calls that wait for a permit. */
  waiting: number
  /** Calls under way. */
  running: number
  /** Permits used so far, one for each call sent. */
  sent: number
  /** How many of them failed, by fault. */
  throttled: number
  failed: number
  unreachable: number
}

export interface QuotaGovernor extends Governor {
  figures(): Record<Lane, LaneFigures>
}

interface Patience {
  /** Ms from the beginning to the end of all tries. Somebody waits for a search; the jobs that index and erase
   *  come back, and expire after ten minutes. */
  totalMs: number
  /** Ms for one try. */
  tryMs: number
  /** Ms that the pause between two tries grows to. Not long: how fast all of them come is up to the permits, and
   *  who pauses uses none. */
  longestPauseMs: number
}

const PATIENCE: Record<Lane, Patience> = {
  search: { totalMs: 15_000, tryMs: 8_000, longestPauseMs: 2_000 },
  index: { totalMs: 300_000, tryMs: 30_000, longestPauseMs: 2_000 },
  manage: { totalMs: 60_000, tryMs: 20_000, longestPauseMs: 2_000 },
}
const FIRST_PAUSE_MS = 200
/** A photo over which the service itself fails so often may be the cause. */
const FAILURES = 5

/** @param options.rate requests a second to begin with in each lane
 *  @param options.random 0 to 1, for the pauses between tries */
export function createGovernor(options: {
  store: QuotaStore
  rate: number
  log: Log
  random?: () => number
}): QuotaGovernor {
  const { store, log, random = Math.random } = options
  const first = newLearned(options.rate)
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  const createLane = (lane: Lane) => {
    const counts = { running: 0, sent: 0, throttled: 0, failed: 0, unreachable: 0 }
    let storeFault: unknown
    const permits = createPermits({ lane, store, first, log, onFault: (error) => (storeFault = error) })
    return { patience: PATIENCE[lane], counts, permits, storeFault: () => storeFault }
  }
  const lanes = { search: createLane('search'), index: createLane('index'), manage: createLane('manage') }

  async function tryUntilDone<Answer>(
    lane: (typeof lanes)[Lane],
    call: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const { patience, counts, permits } = lane
    const outOfTime = new AbortController()
    const timer = setTimeout(() => outOfTime.abort(), patience.totalMs)
    const signal = AbortSignal.any([closing.signal, outOfTime.signal])
    let failures = 0
    let last: unknown
    try {
      for (let tries = 0; ; tries++) {
        const permit = await permits.take(signal, tries > 0)
        counts.sent++
        counts.running++
        try {
          const answer = await once(call, signal, patience.tryMs)
          permit.ended('answered')
          return answer
        } catch (error) {
          const fault = passingFault(error)
          permit.ended(outcomeOf(fault))
          signal.throwIfAborted()
          if (!fault) throw error
          counts[fault]++
          if (fault === 'failed' && ++failures === FAILURES) throw error
          last = error
        } finally {
          counts.running--
        }
        await pause(pauseMs(tries, patience.longestPauseMs, random()), signal)
      }
    } catch (error) {
      if (!signal.aborted) throw error
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        'The face service is busy just now. Please try again in a moment.',
        { cause: last ?? lane.storeFault(), retryAfter: 5 },
      )
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async run(lane, call) {
      const work = tryUntilDone(lanes[lane], call)
      running.add(work)
      try {
        return await work
      } finally {
        running.delete(work)
      }
    },
    figures: () => {
      const figuresOf = ({
        permits,
        counts,
      }: {
        permits: Permits
        counts: Omit<LaneFigures, 'rate' | 'waiting'>
      }) => ({
        ...permits.figures(),
        ...counts,
      })
      return {
        search: figuresOf(lanes.search),
        index: figuresOf(lanes.index),
        manage: figuresOf(lanes.manage),
      }
    },
    async close() {
      closing.abort()
      await Promise.allSettled(running)
      for (const { permits } of Object.values(lanes)) await permits.close()
    },
  }
}

/** Exponential backoff with full jitter ("Exponential Backoff And Jitter", AWS Architecture Blog): anything from
 *  nothing to twice as much as the time before. */
export function pauseMs(tries: number, longestMs: number, random: number): number {
  return random * Math.min(longestMs, FIRST_PAUSE_MS * 2 ** tries)
}

function outcomeOf(fault: PassingFault | undefined) {
  if (fault === 'unreachable') return 'unknown'
  return fault === 'throttled' ? 'throttled' : 'answered'
}

/** One try, given up after a time or with the signal, also when the call does not listen. */
function once<Answer>(
  call: (signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
  tryMs: number,
): Promise<Answer> {
  const giveUp = new AbortController()
  const abort = () => giveUp.abort(signal.reason)
  return new Promise<Answer>((resolve, reject) => {
    const timer = setTimeout(() => {
      giveUp.abort(Object.assign(new Error(`No answer in ${tryMs} ms`), { name: 'TimeoutError' }))
    }, tryMs)
    signal.addEventListener('abort', abort, { once: true })
    giveUp.signal.addEventListener('abort', () => reject(giveUp.signal.reason), { once: true })
    call(giveUp.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
      })
  })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}
