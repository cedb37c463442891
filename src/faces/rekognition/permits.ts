import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import type { Lane } from './lanes.ts'
import type { Slots } from './quota-queries.ts'
import type { QuotaStore } from './quota-store.ts'
import { type CallReport, rateChange } from './rate.ts'

/** Allows one call. */
export interface Permit {
  /** Records how the call ended. */
  ended(how: 'answered' | 'throttled' | 'refused'): void
}

/** The permits of one lane. */
export interface Permits {
  /** Waits for a permit. A call that is tried again (`isRetry`) comes first.
   *  @throws the signal's reason as soon as it is aborted */
  take(signal: AbortSignal, isRetry: boolean): Promise<Permit>
  figures(): { rate: number; waiting: number }
  /** Resolves when the last statement has ended. */
  close(): Promise<void>
}

/** Ms until an unavailable database is asked again. */
const RETRY_MS = 1_000

const emptyReport = (): CallReport => ({ answered: 0, throttled: 0, refusedRate: undefined })

/** Takes permits from the store a few at a time, and only while a call waits for one.
 *  @param options.onFault is called with every fault of the store */
export function createPermits(options: {
  lane: Lane
  store: QuotaStore
  firstRate: number
  log: Log
  onFault: (error: unknown) => void
}): Permits {
  const { lane, store, firstRate, log, onFault } = options
  const waiting: ((permit: Permit) => void)[] = []
  const closing = new AbortController()
  let rate = firstRate
  let isMet = false
  let report = emptyReport()
  let working: Promise<void> | undefined

  async function serveWaiting(): Promise<void> {
    while (waiting.length > 0 && !closing.signal.aborted) {
      const slots = await takeSlots()
      if (slots) await givePermits(slots)
      else await sleep(RETRY_MS)
    }
    working = undefined
  }

  /** @returns undefined when the store is unavailable */
  async function takeSlots(): Promise<Slots | undefined> {
    const request = { wanted: waiting.length, change: rateChange(report, isMet) }
    report = emptyReport()
    try {
      const slots = await store.take(lane, request)
      if (slots) return slots
      await store.open(lane, firstRate)
      return await store.take(lane, request)
    } catch (error) {
      log.warn({ err: error, lane }, 'The database is unavailable, so calls to Amazon Rekognition wait')
      onFault(error)
      return undefined
    }
  }

  async function givePermits({ permits, firstInMs, ...state }: Slots): Promise<void> {
    if (state.rate !== rate) log.debug({ lane, from: rate, to: state.rate }, 'A new request rate')
    ;({ rate, isMet } = state)
    const permit = permitAt(rate)
    const start = performance.now() + firstInMs
    for (let slot = 0; slot < permits && !closing.signal.aborted; slot++) {
      await sleep(start + (slot * 1000) / rate - performance.now())
      waiting.shift()?.(permit)
    }
  }

  function permitAt(rate: number): Permit {
    return {
      ended(how) {
        if (how === 'refused') report.refusedRate = Math.min(rate, report.refusedRate ?? rate)
        else if (how === 'throttled' || waiting.length > 0) report[how]++
      },
    }
  }

  /** Ends early when the lane is closed. */
  async function sleep(ms: number): Promise<void> {
    if (ms > 0) await pause(ms, undefined, { signal: closing.signal }).catch(() => {})
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
        working ??= serveWaiting()
      })
    },
    figures: () => ({ rate, waiting: waiting.length }),
    async close() {
      closing.abort()
      await working
    },
  }
}
