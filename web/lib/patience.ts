/** Calls that wait when the service cannot answer them yet. */
import type { Reason } from '../../src/contract/reasons.ts'
import { failureOf } from './failure.ts'
import { pause } from './pause.ts'

/** A call waits, and is then made again. */
export interface Waiting {
  /** How long it waits in all. */
  seconds: number
  /** Why: the browser is offline, or what the service says. */
  reason?: Reason | 'offline' | undefined
}

export interface Patience {
  signal?: AbortSignal
  /** Is told when a wait begins, and, with null, that it is over. */
  onWait?: (waiting: Waiting | null) => void
  /** When the service asks for more time than this in all, the caller gets its answer instead. While many guests search,
   *  there is no such limit: each gets its turn. */
  longestSeconds?: number
  /** Whether it also waits until the browser is online. */
  waitsForNetwork?: boolean
}

/** What a proxy answers while the service starts again, and a hotel's network before one has logged in; and how many
 *  seconds later the call is made again. */
const PASSING = [200, 404, 429, 502, 503, 504, 511]
const PASSING_SECONDS = 5

/** Some browsers do not report that they are online again. */
const OFFLINE: Waiting = { seconds: 15, reason: 'offline' }

/** Makes a call. When the service asks for time, it waits and tries again.
 *  @throws the signal's reason; otherwise what the call threw */
export async function patiently<Answer>(
  call: () => Promise<Answer>,
  patience: Patience = {},
): Promise<Answer> {
  const { signal, onWait, longestSeconds = 60, waitsForNetwork = false } = patience
  let waited = 0
  for (;;) {
    try {
      return await call()
    } catch (error) {
      signal?.throwIfAborted()
      const isOffline = waitsForNetwork && hasNoNetwork(error)
      const waiting = isOffline ? OFFLINE : waitAskedBy(error)
      if (!waiting) throw error
      if (!isOffline && waiting.reason !== 'many_searches') waited += waiting.seconds
      if (waited > longestSeconds) throw error
      onWait?.(waiting)
      const ends = [pause(waiting.seconds * 1000, signal), ...(isOffline ? [online()] : [])]
      await Promise.race(ends).finally(() => onWait?.(null))
    }
  }
}

/** How long the service, or what answers in its place for a while, asks a call to wait; null when it does not. */
export function waitAskedBy(error: unknown): Waiting | null {
  const failure = failureOf(error)
  if (!failure) return null
  const { status, foreignStatus, retryAfterSeconds, body } = failure
  if (PASSING.includes(foreignStatus)) return { seconds: retryAfterSeconds ?? PASSING_SECONDS }
  const asks = (status === 429 || status === 503) && retryAfterSeconds !== null
  return asks ? { seconds: retryAfterSeconds, reason: body?.reason } : null
}

function hasNoNetwork(error: unknown): boolean {
  const failure = failureOf(error)
  return !navigator.onLine && failure?.status === 0 && failure.foreignStatus === 0
}

const online = () =>
  new Promise<void>((resolve) => window.addEventListener('online', () => resolve(), { once: true }))
