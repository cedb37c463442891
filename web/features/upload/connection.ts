import { pause } from '../../lib/pause.ts'

/** What the browser knows of its network. */
export interface Connection {
  /** Whether the browser is offline, or was so at some time since `at` (ms of Date.now()). */
  wasOffline(at: number): boolean
  /** Resolves when it makes sense to try again. Rejects with the signal's reason. */
  back(signal: AbortSignal): Promise<void>
}

/** Some browsers do not report that they are online again. So an attempt is made after this time. */
const TRY_ANYWAY_MS = 15_000

/** @param signal ends the watching. */
export function watchConnection(signal: AbortSignal): Connection {
  let lastOffline = Number.NEGATIVE_INFINITY
  window.addEventListener('offline', () => (lastOffline = Date.now()), { signal })
  return {
    wasOffline: (at) => !navigator.onLine || lastOffline >= at,
    async back(stop) {
      const waiting = new AbortController()
      const end = () => waiting.abort(stop.reason)
      stop.addEventListener('abort', end)
      const online = new Promise<void>((resolve) =>
        window.addEventListener('online', () => resolve(), { signal: waiting.signal, once: true }),
      )
      try {
        stop.throwIfAborted()
        await Promise.race([online, pause(TRY_ANYWAY_MS, waiting.signal)])
      } finally {
        stop.removeEventListener('abort', end)
        waiting.abort()
      }
    },
  }
}
