import { type Preloadable, usePreload } from './lazy-part.ts'

const OFFLINE_APP: Preloadable = {
  async preload() {
    // Plain http (except on localhost) and some private windows have no service worker. Nothing else depends on it.
    await navigator.serviceWorker?.register('/service-worker.js').catch(() => {})
  },
}

/** Lets the guests' pages open without a network from now on: see service-worker.js.
 *  @param isUsable false while the page still loads what comes first: the files to keep would slow it down */
export const useOfflineApp = (isUsable = true): void => usePreload(OFFLINE_APP, isUsable)
