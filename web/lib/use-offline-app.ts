import { useEffect } from 'react'
import { whenIdle } from './when-idle.ts'

/** Lets the guests' pages open without a network from now on: see service-worker.js.
 *  @param isUsable false while the visitor still waits for what comes first: what is kept has to be loaded */
export function useOfflineApp(isUsable = true): void {
  useEffect(() => {
    if (!isUsable) return
    return whenIdle(() => {
      // Plain http has none, except on the machine that serves it. Private windows may refuse it. Then all stays as it was.
      navigator.serviceWorker?.register('/service-worker.js').catch(() => {})
    })
  }, [isUsable])
}
