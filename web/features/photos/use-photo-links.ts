import { useEffect, useEffectEvent } from 'react'
import { PHOTO_LINK_LIFETIME_MS } from '../../../src/contract/limits.ts'

/** How long before they end addresses are renewed. */
const BEFORE_MS = 5 * 60_000
/** How often their age is checked. The clock is read each time, because timers stop while a computer sleeps. */
const CHECKED_EVERY_MS = 30_000

/** Tells the lists of photos on the page that the service has refused an address. */
const refusals = new EventTarget()
/** The check that is running. */
let asking: Promise<void> | undefined

/** Watches the addresses of the photos in a list, which end an hour after they were issued, or when the album gets a new
 *  password. A tab that is hidden is told when the visitor comes back to it.
 *  @param issued ms since 1970; undefined while there are no photos
 *  @param onEnding the addresses end soon, or are refused. Called every 30 s until there are fresh ones */
export function usePhotoLinks(issued: number | undefined, onEnding: () => void): void {
  const tell = useEffectEvent(onEnding)
  useEffect(() => {
    if (issued === undefined) return
    const leaving = new AbortController()
    const { signal } = leaving
    const check = () => {
      const isEnding = Date.now() >= issued + PHOTO_LINK_LIFETIME_MS - BEFORE_MS
      if (isEnding && document.visibilityState === 'visible') tell()
    }
    const timer = setInterval(check, CHECKED_EVERY_MS)
    document.addEventListener('visibilitychange', check, { signal })
    refusals.addEventListener('refused', () => tell(), { signal })
    return () => {
      clearInterval(timer)
      leaving.abort()
    }
  }, [issued])
}

/** Asks whether the service refuses the address of a photo, and tells the lists if it does. An image or a download that
 *  fails does not say why. */
export async function checkLink(address: string): Promise<void> {
  // Many photos can fail at the same moment: they share an answer. Without a network, nothing is known.
  asking ??= fetch(address, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => void (status === 403 && refusals.dispatchEvent(new Event('refused'))),
    () => {},
  )
  await asking
  asking = undefined
}
