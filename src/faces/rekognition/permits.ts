import type { Log } from '../../log.ts'
import type { Lane } from './governor.ts'
import type { Lease, LeaseRequest, QuotaStore } from './quota-store.ts'
import { isTelling, type Learned, learn } from './rate.ts'

/** Leave to make one call. Whoever has it says how the call ended; `unknown` when no answer came. */
export interface Permit {
  ended(outcome: Outcome): void
}
export type Outcome = 'answered' | 'throttled' | 'unknown'

export interface Permits {
  /** Waits for a permit. Who has waited before (`isRetry`) comes first.
   *  @throws the signal's reason as soon as it is aborted */
  take(signal: AbortSignal, isRetry: boolean): Promise<Permit>
  figures(): { rate: number; waiting: number }
  /** Resolves when the last statement has ended. */
  close(): Promise<void>
}

/** Ms before its last permit is due, a process asks for more. */
const LEAD_MS = 100
/** Ms after which nobody waits any more to hear how a call ended. */
const REPORT_MS = 3_000
/** Ms until a database that is away is asked again. */
const AWAY_MS = 1_000

interface Sent {
  at: number
  period: number
  outcome: Outcome | undefined
}

/** The permits of one lane, leased a few at a time and only while somebody waits for one. */
export function createPermits(options: {
  lane: Lane
  store: QuotaStore
  first: Learned
  log: Log
  /** Hears of every fault of the store. */
  onFault: (error: unknown) => void
}): Permits {
  const { lane, store, first, log, onFault } = options
  const waiting: ((permit: Permit) => void)[] = []
  /** The permits in hand, by the time they fall due, as performance.now() tells it. */
  const due: { at: number; period: number }[] = []
  /** Calls in the order of their sending. */
  const sent: Sent[] = []
  let learned = first
  let period = -1
  let lesson: LeaseRequest['lesson']
  let leasing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let stopPausing = () => {}
  let isOpen = false
  let isClosed = false

  function newPermit(period: number): Permit {
    const call: Sent = { at: performance.now(), period, outcome: undefined }
    sent.push(call)
    return {
      ended: (outcome) => {
        call.outcome ??= outcome
      },
    }
  }

  /** Hands out what is due, asks for more in time, and comes back when the next is due. */
  function proceed(): void {
    clearTimeout(timer)
    if (isClosed) return
    const now = performance.now()
    while (due[0] && due[0].at <= now) {
      const { period } = due.shift()!
      waiting.shift()?.(newPermit(period))
    }
    const last = due.at(-1)?.at ?? now
    if (last - now <= LEAD_MS && waiting.length > due.length) leasing ??= lease()
    const times = [due[0]?.at, last - LEAD_MS].filter((at) => at !== undefined && at > now) as number[]
    if (due[0]) timer = setTimeout(proceed, Math.max(1, Math.min(...times) - now))
  }

  async function lease(): Promise<void> {
    try {
      if (!isOpen) await store.open(lane, first)
      isOpen = true
      const request = { wanted: waiting.length - due.length, report: report(), lesson }
      lesson = undefined
      const granted = await store.lease(lane, request)
      if (granted) accept(granted)
      else isOpen = false
    } catch (error) {
      log.warn({ err: error, lane }, 'The permits for the face service cannot be had')
      onFault(error)
      await pauseWhileAway()
    } finally {
      leasing = undefined
    }
    proceed()
  }

  /** Waits a while, or until the lane is closed. */
  function pauseWhileAway(): Promise<void> {
    return new Promise((resume) => {
      if (isClosed) return resume()
      const pause = setTimeout(resume, AWAY_MS)
      stopPausing = () => {
        clearTimeout(pause)
        resume()
      }
    })
  }

  function accept(lease: Lease): void {
    if (lease.learned.rate !== learned.rate)
      log.debug({ lane, from: learned.rate, to: lease.learned.rate, ...lease.sofar }, 'A new request rate')
    ;({ learned, period } = lease)
    const start = performance.now() + lease.firstInMs
    for (let count = 0; count < lease.permits; count++)
      due.push({ at: start + count * lease.everyMs, period })
    if (isTelling(learned, lease.sofar)) lesson = { period, learned: learn(learned, lease.sofar) }
  }

  /** Sums up the calls that have ended, up to the first that has not: refusals come back sooner than answers, and
   *  would seem to be more than they are. */
  function report(): LeaseRequest['report'] {
    const sum = { period, answered: 0, throttled: 0 }
    const forgetBefore = performance.now() - REPORT_MS
    while (sent.length > 0 && (sent[0]!.outcome || sent[0]!.at < forgetBefore)) {
      const call = sent.shift()!
      if (call.period === period && call.outcome && call.outcome !== 'unknown') sum[call.outcome]++
    }
    return sum
  }

  return {
    take(signal, isRetry) {
      return new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const leave = () => {
          waiting.splice(waiting.indexOf(enter), 1)
          reject(signal.reason)
        }
        const enter = (permit: Permit) => {
          signal.removeEventListener('abort', leave)
          resolve(permit)
        }
        signal.addEventListener('abort', leave, { once: true })
        if (isRetry) waiting.unshift(enter)
        else waiting.push(enter)
        proceed()
      })
    },
    figures: () => ({ rate: learned.rate, waiting: waiting.length }),
    async close() {
      isClosed = true
      clearTimeout(timer)
      stopPausing()
      await leasing
    },
  }
}
