import { useEffect, useEffectEvent, useState } from 'react'
import { PHOTO_LINK_LIFETIME_MS } from '../../../src/contract/limits.ts'

/** Addresses are renewed this long before they may expire. */
const RENEWED_BEFORE_MS = 5 * 60_000
/** How often their age is checked, by the time of day: timers stop while a machine sleeps. */
const LOOKED_AT_EVERY_MS = 30_000

/** The one rule for the addresses of photos on a page, which expire an hour after they were issued. Where the page can
 *  get fresh ones, they are renewed in time, or when the visitor comes back to the tab. Otherwise they expire.
 *  @param issued ms since 1970; undefined while there are no photos
 *  @param renew undefined where the page cannot renew them. Called every 30 s until there are fresh ones
 *  @returns whether they have expired */
export function usePhotoLinks(issued: number | undefined, renew?: () => void): boolean {
  const [expired, setExpired] = useState<number>()
  const look = useEffectEvent((since: number) => {
    const left = since + PHOTO_LINK_LIFETIME_MS - Date.now()
    if (left <= 0) setExpired(since)
    if (left <= RENEWED_BEFORE_MS && document.visibilityState === 'visible') renew?.()
  })
  useEffect(() => {
    if (issued === undefined) return
    const lookNow = () => look(issued)
    const timer = setInterval(lookNow, LOOKED_AT_EVERY_MS)
    document.addEventListener('visibilitychange', lookNow)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', lookNow)
    }
  }, [issued])
  return issued !== undefined && expired === issued
}
