import { useEffect } from 'react'

/** Keeps the screen on while something runs: a phone whose screen locks ends an upload. Browsers that lack it, or refuse
 *  it to save the battery, lock as usual. */
export function useWakeLock(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning || !('wakeLock' in navigator)) return
    let lock: Promise<WakeLockSentinel | null> | undefined
    const take = () => {
      // The browser ends it whenever the page is hidden.
      if (document.visibilityState === 'visible')
        lock = navigator.wakeLock.request('screen').catch(() => null)
    }
    take()
    document.addEventListener('visibilitychange', take)
    return () => {
      document.removeEventListener('visibilitychange', take)
      void lock?.then((held) => held?.release())
    }
  }, [isRunning])
}
