import { useEffect, useEffectEvent } from 'react'

/** The pause before the first try again in ms. Each further one is twice as long. */
const FIRST_PAUSE_MS = 2_000
/** How often something is tried again by itself. */
const TRIES_AGAIN = 5

/** Tries again what has not loaded: after a while, and as soon as the browser is online again.
 *  @param failures how often it has failed in a row; 0 while it has not, or is loading */
export function useTryAgain(failures: number, tryAgain: () => void): void {
  const again = useEffectEvent(tryAgain)
  useEffect(() => {
    if (failures === 0) return
    const tryNow = () => again()
    const pause = FIRST_PAUSE_MS * 2 ** (failures - 1)
    const timer = failures <= TRIES_AGAIN ? setTimeout(tryNow, pause) : undefined
    window.addEventListener('online', tryNow)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', tryNow)
    }
  }, [failures])
}
