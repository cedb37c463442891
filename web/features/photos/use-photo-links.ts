import { useEffect, useEffectEvent, useState } from 'react'
import { PHOTO_LINK_LIFETIME_MS } from '../../../src/contract/limits.ts'
import type { ResultPhoto } from '../../../src/contract/submissions.ts'
import { queryClient } from '../../trpc.ts'

/** Addresses are renewed this long before they may expire. */
const RENEWED_BEFORE_MS = 5 * 60_000
/** How often their age is checked. The clock is read each time, because timers stop while a computer sleeps. */
const CHECKED_EVERY_MS = 30_000
/** Ms. If a photo with an address younger than this fails, the address is rarely the cause. */
const FRESH_MS = 60_000

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

/** Renews addresses because one of them does not load. If they are fresh, only when the service refuses them.
 *  @param issued as above
 *  @param photo one of the photos */
export function renewAfterFailure(
  issued: number | undefined,
  photo: Pick<ResultPhoto, 'thumbUrl'> | undefined,
  renew: () => void,
): void {
  if (issued !== undefined && Date.now() - issued >= FRESH_MS) renew()
  else void whenRefused(photo, renew)
}

/** Calls back when the service refuses the addresses of photos: they have ended, or the album has a new password. An image
 *  or a download that fails does not say why. Thumbnails are asked for, because every photo has one.
 *  @param photo any of the photos whose addresses came with the same answer */
export async function whenRefused(
  photo: Pick<ResultPhoto, 'thumbUrl'> | undefined,
  then: () => void,
): Promise<void> {
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
