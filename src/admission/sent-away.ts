import { lastOf, type Queued, sumsOf } from './fair-order.ts'

/** Above it, the last callers of the network that has most are forgotten. Each takes about 200 bytes. */
const MOST = 2_000
/** A caller who was sent away and does not come again in time is forgotten so many ms later. */
const LATE_MS = 20_000

/** Remembers the callers who were sent away, and since when each has been trying. */
export interface SentAway {
  remember(one: Queued, retryAfterSeconds: number): void
  sinceOf(caller: string): number | undefined
  forget(caller: string): void
  all(): Queued[]
}

/** @param now a clock in ms */
export function createSentAway(now: () => number, most = MOST): SentAway {
  const callers = new Map<string, Queued & { until: number }>()

  function forgetLate(): void {
    for (const { caller, until } of callers.values()) if (until < now()) callers.delete(caller)
  }

  return {
    remember({ network, caller, since }, retryAfterSeconds) {
      callers.set(caller, { network, caller, since, until: now() + retryAfterSeconds * 1_000 + LATE_MS })
      if (callers.size > most) forgetLate()
      if (callers.size <= most) return
      const all = [...callers.values()]
      const [largest] = [...sumsOf(all, () => 1)].toSorted(([, a], [, b]) => b - a)
      callers.delete(lastOf(all, largest![0])!.caller)
    },
    sinceOf(caller) {
      forgetLate()
      return callers.get(caller)?.since
    },
    forget(caller) {
      callers.delete(caller)
    },
    all() {
      forgetLate()
      return [...callers.values()]
    },
  }
}
