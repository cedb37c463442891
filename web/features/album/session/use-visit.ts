import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { AlbumVisit } from '../../../../src/contract/albums/album-visits.ts'
import type { Progress } from '../../../../src/contract/albums/albums.ts'
import { OWNER_KEY } from '../../../../src/contract/albums/owner-link.ts'
import { failureOf } from '../../../lib/failure.ts'
import { keepAlbum } from '../../../lib/keep-albums.ts'
import { onLoggedOutElsewhere } from '../../../lib/log-out-news.ts'
import { readOrganiser } from '../../../lib/own-albums.ts'
import { forgetGuest } from '../../../lib/persisted.ts'
import { useFragment } from '../../../lib/use-fragment.ts'
import { trpc } from '../../../trpc.ts'

export type Visit =
  | { step: 'checking' }
  | { step: 'failed'; error: unknown; retry: () => void }
  | { step: 'not-found' }
  /** The visitor has the password, and guests may not come in now. `opensAt`: null when the album is closed. */
  | { step: 'shut'; opensAt: string | null }
  /** `isKeyRefused`: the owner key of this browser is no longer valid. */
  | { step: 'locked'; displayName: string; isKeyRefused: boolean }
  | { step: 'open'; album: NonNullable<AlbumVisit['album']>; progress: Progress }

interface VisitOptions {
  /** As whom the owner sees the album. */
  as?: 'guest' | undefined
  /** The visitor has logged out in another tab. */
  onLeft?: () => void
}

/** How often the page of an album that is shut asks whether it is open, in ms. */
const ASK_AGAIN_MS = 30_000

/** Whether the visitor may see an album, and the album. A browser that holds the album's owner key enters with it, also
 *  without a cookie or after the visitor entered as a guest (§6). The key is saved in the browser, or is in the private
 *  link that led here; then it is saved, too, beside those of other albums. An album that is shut opens by itself when the
 *  time has come. */
export function useVisit(albumName: string, { as, onLeft }: VisitOptions = {}) {
  const queries = useQueryClient()
  const { albums, client } = trpc.useUtils()
  const input = { albumName, as }
  const query = useQuery({
    queryKey: getQueryKey(trpc.albums.visit, input, 'query'),
    async queryFn() {
      const visit = await client.albums.visit.query(input)
      const { album, progress } = visit
      // A refusal of the earlier session must not end the new one.
      if (album && progress) albums.progress.setData({ id: album.id }, progress)
      if (!visit.albumExists) forgetGuest(albumName)
      return visit
    },
    refetchInterval: ({ state: { data } }) => data && !data.album && isShut(data) && ASK_AGAIN_MS,
    refetchIntervalInBackground: true,
  })
  const known = query.data
  const refresh = () => query.refetch()

  const enterAsOwner = (key: string) => client.albums.enterAsOwner.mutate({ ownerKey: key })
  /** Whether this browser has another valid key to this album: the link of a letter has another one than that with which the album was
   *  created, which lasts longer. */
  async function hasOtherKey(key: string): Promise<boolean> {
    const saved = readOrganiser(albumName)?.userAlbumId
    if (!saved || saved === key) return false
    try {
      return (await enterAsOwner(saved)).album.albumName === albumName
    } catch (error) {
      // What could not be tried is not replaced.
      return failureOf(error)?.status !== 404
    }
  }

  const [{ ownerKey, from }, setKey] = useState(() => findKey(albumName))
  const linkedKey = useFragment(OWNER_KEY)
  if (linkedKey !== undefined && linkedKey !== ownerKey) setKey({ ownerKey: linkedKey, from: 'link' })
  // Somebody behind the same network address has tried too many names. A password or a key opens the album all the same.
  const isNameRefused = !known && failureOf(query.error)?.status === 429
  const isOwner = known?.album?.isOwner === true
  const isKeyUseful = isNameRefused || (known?.albumExists === true && (!isOwner || from !== 'name'))
  const triesKey = ownerKey !== undefined && isKeyUseful
  // Only the service knows which album the key belongs to, and whether it is still valid.
  const keyTrial = useQuery({
    queryKey: ['owner key', albumName, ownerKey],
    async queryFn() {
      const { album, email } = await enterAsOwner(ownerKey!)
      const opensThis = album.albumName === albumName
      if (from !== 'link' || (opensThis && !(await hasOtherKey(ownerKey!))))
        keepAlbum({
          userEmail: email,
          eventName: album.displayName,
          userAlbumId: ownerKey!,
          userAlbumSlug: album.albumName,
        })
      if (opensThis && !isOwner) await query.refetch()
      return null
    },
    enabled: triesKey,
  })

  function stepOf(): Visit {
    const failed: Visit = { step: 'failed', error: query.error, retry: refresh }
    const { album, progress, opensAt = null } = known ?? {}
    const isWaiting = known !== undefined && isShut(known)
    if (query.isError && !album && !isWaiting && !isNameRefused) return failed
    if (!known && !isNameRefused) return { step: 'checking' }
    if (known?.albumExists === false) return { step: 'not-found' }
    if (album && progress) return { step: 'open', album, progress }
    if (known?.isAuthenticated || (triesKey && keyTrial.isPending)) return { step: 'checking' }
    if (isWaiting) return { step: 'shut', opensAt }
    const isKeyRefused = from !== 'hand' && failureOf(keyTrial.error)?.status === 404
    return { step: 'locked', displayName: known?.displayName ?? albumName, isKeyRefused }
  }

  function endSession(triesKey = true): void {
    queries.removeQueries({ queryKey: ['owner key', albumName] })
    setKey(triesKey ? findKey(albumName) : { ownerKey: undefined, from: 'name' })
    const ended = { isAuthenticated: false, album: null, progress: null }
    albums.visit.setData(input, (former) => former && { ...former, ...ended })
    // The album may have been closed. The page then says so.
    void refresh()
  }
  const leave = useEffectEvent(() => {
    onLeft?.()
    // The key that another tab removes from the browser's storage may still be there for a moment.
    endSession(false)
  })
  useEffect(() => onLoggedOutElsewhere(albumName, () => leave()), [albumName])

  return {
    visit: stepOf(),
    displayName: known?.displayName ?? undefined,
    /** The colour that the owner has chosen. */
    accent: known?.accent,
    /** The visitor has entered the password, or the service says that the album has been erased. */
    refresh,
    /** The visitor has logged out, or the service says that the session no longer has a grant. */
    endSession: () => endSession(),
  }
}

/** Whether the visitor has the password of an album into which guests may not come now. */
const isShut = ({ opensAt, isClosed }: AlbumVisit) => opensAt !== null || isClosed

/** Where an owner key comes from: it was saved with this album's name, or is that of the album in hand, whose name only the
 *  service knows, or was in a private link. */
type KeyFrom = 'name' | 'hand' | 'link'

/** The saved owner key that may open an album. */
function findKey(albumName: string): { ownerKey: string | undefined; from: KeyFrom } {
  const own = readOrganiser(albumName)
  if (own) return { ownerKey: own.userAlbumId, from: 'name' }
  const inHand = readOrganiser()
  return { ownerKey: inHand?.userAlbumSlug === undefined ? inHand?.userAlbumId : undefined, from: 'hand' }
}
