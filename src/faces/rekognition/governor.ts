import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import { serviceBusy } from '../errors.ts'
import type { Lane } from './lanes.ts'
import { createPermits } from './permits.ts'
import type { QuotaStore } from './quota-store.ts'
import { passingFault } from './service-faults.ts'

export interface RunOptions {
  /** Ms from the beginning to the end of all tries, for a call that may also be left out. By default the lane decides. */
  atMostMs?: number | undefined
}

/** Keeps calls within the account's quotas: waits for a permit, calls, and repeats calls after passing faults. */
export interface Governor {
  /** @throws AppError SERVICE_UNAVAILABLE when no answer came in the time that the lane allows, or the governor was
   *  closed; and what the call throws when repeating it would not help */
  run<Answer>(
    lane: Lane,
    call: (signal: AbortSignal) => Promise<Answer>,
    options?: RunOptions,
  ): Promise<Answer>
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
  /** Calls sent, repeated ones included. */
  sent: number
  /** How many of them failed, by fault; `throttled` includes those above the quota. */
  throttled: number
  failed: number
  unreachable: number
}

export interface QuotaGovernor extends Governor {
  figures(): Record<Lane, LaneFigures>
}

interface TimeLimits {
  /** Ms from the beginning to the end of all tries. A visitor waits for a search; the jobs that index and erase are
   *  repeated, and expire after ten minutes. */
  totalMs: number
  /** Ms for one try. */
  tryMs: number
}

const TIME_LIMITS: Record<Lane, TimeLimits> = {
  search: { totalMs: 15_000, tryMs: 8_000 },
  hop: { totalMs: 15_000, tryMs: 8_000 },
  detect: { totalMs: 15_000, tryMs: 8_000 },
  index: { totalMs: 300_000, tryMs: 30_000 },
  manage: { totalMs: 60_000, tryMs: 20_000 },
}
const FIRST_PAUSE_MS = 200
/** Short, because the permits already set the speed of all calls together. */
const LONGEST_PAUSE_MS = 2_000
/** If the service itself fails so often on one photo, the photo may be the cause. */
const MAX_FAILURES = 5

/** @param options.rate requests a second to begin with in each lane
 *  @param options.random 0 to 1, for the pauses between tries */
export function createGovernor(options: {
  store: QuotaStore
  rate: number
  log: Log
  random?: () => number
}): QuotaGovernor {
  const { store, rate: firstRate, log, random = Math.random } = options
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  const createLane = (lane: Lane) => {
    const counts = { running: 0, sent: 0, throttled: 0, failed: 0, unreachable: 0 }
    let storeFault: unknown
    const permits = createPermits({ lane, store, firstRate, log, onFault: (error) => (storeFault = error) })
    return {
      limits: TIME_LIMITS[lane],
      counts,
      permits,
      storeFault: () => storeFault,
      figures: () => ({ ...permits.figures(), ...counts }),
    }
  }
  const lanes: Record<Lane, ReturnType<typeof createLane>> = {
    search: createLane('search'),
    hop: createLane('hop'),
    detect: createLane('detect'),
    index: createLane('index'),
    manage: createLane('manage'),
  }

  async function tryUntilDone<Answer>(
    { limits, counts, permits, storeFault }: (typeof lanes)[Lane],
    call: (signal: AbortSignal) => Promise<Answer>,
    { atMostMs = limits.totalMs }: RunOptions,
  ): Promise<Answer> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(atMostMs)])
    let failures = 0
    let lastFault: unknown
    try {
      for (let tries = 0; ; tries++) {
        const permit = await permits.take(signal, tries > 0)
        counts.sent++
        counts.running++
        try {
          const answer = await within(AbortSignal.any([signal, AbortSignal.timeout(limits.tryMs)]), call)
          permit.ended('answered')
          return answer
        } catch (error) {
          signal.throwIfAborted()
          const fault = passingFault(error)
          if (fault !== 'unreachable')
            permit.ended(fault === 'refused' || fault === 'throttled' ? fault : 'answered')
          if (!fault) throw error
          counts[fault === 'refused' ? 'throttled' : fault]++
          if (fault === 'failed' && ++failures === MAX_FAILURES) throw error
          lastFault = error
        } finally {
          counts.running--
        }
        await pause(pauseMs(tries, random()), undefined, { signal })
      }
    } catch (error) {
      if (!signal.aborted) throw error
      throw serviceBusy(lastFault ?? storeFault())
    }
  }

  return {
    async run(lane, call, options = {}) {
      const work = tryUntilDone(lanes[lane], call, options)
      running.add(work)
      try {
        return await work
      } finally {
        running.delete(work)
      }
    },
    figures: () => ({
      search: lanes.search.figures(),
      hop: lanes.hop.figures(),
      detect: lanes.detect.figures(),
      index: lanes.index.figures(),
      manage: lanes.manage.figures(),
    }),
    async close() {
      closing.abort()
      await Promise.allSettled(running)
      for (const { permits } of Object.values(lanes)) await permits.close()
    },
  }
}

/** Exponential backoff with full jitter ("Exponential Backoff And Jitter", AWS Architecture Blog): anything from 0 to
 *  a bound that doubles with each try.
 *  @param tries how many tries came before the last one */
export function pauseMs(tries: number, random: number): number {
  return random * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries)
}

/** Ends with the signal, also when the call does not listen to it. */
function within<Answer>(
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    call(signal)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', giveUp))
  })
}
