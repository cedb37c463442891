import { useEffect } from 'react'

/** Lets the guests' pages open without a network from now on: see service-worker.js. */
export function useOfflineApp(): void {
  useEffect(() => {
    // Plain http has none, except on the machine that serves it. Private windows may refuse it. Then all stays as it was.
    navigator.serviceWorker?.register('/service-worker.js').catch(() => {})
  }, [])
}
