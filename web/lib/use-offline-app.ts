import { useEffect } from 'react'
import { whenIdle } from './when-idle.ts'

/** Lets the guests' pages open without a network from now on: see service-worker.js.
 *  @param isUsable false while the page still loads what comes first: the files to keep would slow it down */
export function useOfflineApp(isUsable = true): void {
  useEffect(() => {
    if (!isUsable) return
    return whenIdle(() => {
      // Plain http (except on localhost) and some private windows have no service worker. Nothing else depends on it.
      navigator.serviceWorker?.register('/service-worker.js').catch(() => {})
    })
  }, [isUsable])
}
