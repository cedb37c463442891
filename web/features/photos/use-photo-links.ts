import { useEffect, useEffectEvent, useState } from 'react'
import { PHOTO_LINK_LIFETIME_MS } from '../../../src/contract/limits.ts'
import { queryClient } from '../../trpc.ts'
import type { PhotoLoading } from './grid/photo-tile.tsx'
import type { Addressed } from './photo-path.ts'

/** Addresses are renewed this long before they may expire. */
const RENEWED_BEFORE_MS = 5 * 60_000
/** How often their age is checked. The clock is read each time, because timers stop while a computer sleeps. */
const CHECKED_EVERY_MS = 30_000

/** Watches the addresses of photos on a page, which expire an hour after they were issued. A page that can get fresh
 *  ones renews them in time, or when the visitor comes back to the tab.
 *  @param issued ms since 1970; undefined while there are no photos
 *  @param renew undefined on a page that cannot renew them. Called every 30 s until there are fresh ones
 *  @returns whether they have expired */
export function usePhotoLinks(issued: number | undefined, renew?: () => void): boolean {
  const [expired, setExpired] = useState<number>()
  const check = useEffectEvent((since: number) => {
    const left = since + PHOTO_LINK_LIFETIME_MS - Date.now()
    if (left <= 0) setExpired(since)
    if (left <= RENEWED_BEFORE_MS && document.visibilityState === 'visible') renew?.()
  })
  useEffect(() => {
    if (issued === undefined) return
    const checkNow = () => check(issued)
    const timer = setInterval(checkNow, CHECKED_EVERY_MS)
    document.addEventListener('visibilitychange', checkNow)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', checkNow)
    }
  }, [issued])
  return issued !== undefined && expired === issued
}

interface Links {
  /** When they were issued, ms since 1970. */
  issued: number | undefined
  /** One of the photos; undefined while there are none. */
  photo: Addressed | undefined
  isRenewing: boolean
  renew: () => void
}

/** Renews the addresses of photos before they expire, and when the service refuses them.
 *  @returns what a grid says and asks about them */
export function useFreshLinks({ issued, photo, isRenewing, renew }: Links) {
  usePhotoLinks(photo && issued, renew)
  const renewRefused = () => void whenRefused(photo, renew)
  const asked = { onFail: renewRefused, onDownload: renewRefused, onRetry: renew }
  return { issued, isRenewing, ...asked } satisfies PhotoLoading
}

/** Calls back when the service refuses the addresses of photos: they have ended, or the album has a new password. An image
 *  or a download that fails does not say why. Thumbnails are asked for, because every photo has one.
 *  @param photo any of the photos whose addresses came with the same answer */
export async function whenRefused(photo: Addressed | undefined, then: () => void): Promise<void> {
  if (!photo) return
  const { thumbUrl } = photo
  // Many photos can fail at the same moment: they share an answer. Without a network, nothing is known.
  const isRefused = await queryClient.fetchQuery({
    queryKey: ['is refused', thumbUrl],
    queryFn: () =>
      fetch(thumbUrl, { method: 'HEAD', cache: 'no-store' }).then(
        ({ status }) => status === 403,
        () => false,
      ),
    staleTime: 0,
    gcTime: 0,
  })
  if (isRefused) then()
}
