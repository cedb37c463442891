import { manySearches } from '../search/selfie-line.ts'
import { lastSelfieInWork } from '../search/selfie-turns.ts'

/** How much memory selfies may use in one process. It protects this process only, so it is not counted in Postgres. */
export interface SelfieMemoryLimits {
  /** Bytes for all callers together. */
  total: number
  /** Bytes for one address, so that no address can use all. */
  perAddress: number
  /** Selfies of one caller at once: one in work, and the next that arrives. */
  perCaller: number
  /** Calls that may wait. Each of them holds some memory, too. */
  waiting: number
  /** Ms that a call waits. */
  waitMs: number
}

/** Who sends a selfie. */
export interface SelfieCaller {
  address: string
  sessionId: string | undefined
}

export interface SelfieMemory {
  /** Reserves memory for a selfie. When there is none, the call waits in turn.
   *  @returns a function that gives the memory back
   *  @throws AppError TOO_MANY_REQUESTS when the caller has too many selfies at once, SERVICE_UNAVAILABLE when there is
   *  still no memory after `waitMs`. */
  reserve(caller: SelfieCaller, bytes: number, hungUp: AbortSignal): Promise<() => void>
}

interface Reservation {
  address: string
  bytes: number
  /** Ends the wait. */
  enter(): void
}

export function createSelfieMemory(limits: SelfieMemoryLimits): SelfieMemory {
  let used = 0
  const usedByAddress = new Map<string, number>()
  const selfiesByCaller = new Map<string, number>()
  const waiting = new Set<Reservation>()

  function take({ address, bytes }: Reservation, sign: 1 | -1): void {
    used += sign * bytes
    add(usedByAddress, address, sign * bytes)
  }

  const hasSpace = (bytes: number) => used + bytes <= limits.total
  const hasSpaceForAddress = ({ address, bytes }: Reservation) =>
    (usedByAddress.get(address) ?? 0) + bytes <= limits.perAddress

  /** Lets the first in the queue enter. Those behind it only pass it when its address has used its part. */
  function letEnter(): void {
    for (const reservation of waiting) {
      if (!hasSpaceForAddress(reservation)) continue
      if (!hasSpace(reservation.bytes)) return
      waiting.delete(reservation)
      take(reservation, 1)
      reservation.enter()
    }
  }

  async function enter(reservation: Omit<Reservation, 'enter'>, hungUp: AbortSignal): Promise<Reservation> {
    const entered = Promise.withResolvers<void>()
    const queued = { ...reservation, enter: entered.resolve }
    waiting.add(queued)
    letEnter()
    if (waiting.size > limits.waiting && waiting.delete(queued)) throw manySearches()
    const stop = AbortSignal.any([hungUp, AbortSignal.timeout(limits.waitMs)])
    const giveUp = () => waiting.delete(queued) && entered.reject(manySearches())
    stop.addEventListener('abort', giveUp)
    if (stop.aborted) giveUp()
    try {
      await entered.promise
    } finally {
      stop.removeEventListener('abort', giveUp)
    }
    return queued
  }

  return {
    async reserve({ address, sessionId }, bytes, hungUp) {
      const caller = sessionId ?? address
      if ((selfiesByCaller.get(caller) ?? 0) >= limits.perCaller) throw lastSelfieInWork()
      add(selfiesByCaller, caller, 1)
      try {
        const reservation = await enter({ address, bytes }, hungUp)
        return () => {
          add(selfiesByCaller, caller, -1)
          take(reservation, -1)
          letEnter()
        }
      } catch (error) {
        add(selfiesByCaller, caller, -1)
        throw error
      }
    },
  }
}

/** Adds to an entry, and removes it at zero. */
function add(counts: Map<string, number>, key: string, amount: number): void {
  const sum = (counts.get(key) ?? 0) + amount
  if (sum === 0) counts.delete(key)
  else counts.set(key, sum)
}
