import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AlbumVisit } from '../../../../src/contract/album-visits.ts'
import type { EnteredAlbum, Progress } from '../../../../src/contract/albums.ts'
import { OWNER_KEY } from '../../../../src/contract/owner-link.ts'
import { failureOf } from '../../../lib/failure.ts'
import { readOrganiser } from '../../../lib/own-albums.ts'
import type { Organiser } from '../../../lib/persisted.ts'
import { useFragment } from '../../../lib/use-fragment.ts'
import { trpc } from '../../../trpc.ts'
import type { KeyFrom } from './owner-key.ts'

export type Visit =
  | { step: 'checking' }
  | { step: 'failed'; error: unknown; retry: () => void }
  | { step: 'not-found' }
  /** The visitor has the password, and guests may not come in now. `opensAt`: null when the album is closed. */
  | { step: 'shut'; opensAt: string | null; retry: () => void }
  /** `isKeyRefused`: the owner key of this browser is no longer valid. */
  | { step: 'locked'; displayName: string; isKeyRefused: boolean }
  | { step: 'open'; album: NonNullable<AlbumVisit['album']>; progress: Progress }

interface AlbumVisitor {
  visit: Visit
  displayName: string | undefined
  /** The visitor has entered the password. */
  enter(): void
  /** The visitor has logged out, or the service says that the session no longer has a grant.
   *  @param options.triesKey false when another tab has logged out: what it removes from the browser's storage may still be
   *  there for a moment */
  endSession(options?: { triesKey?: boolean }): void
  /** The service says that the album has been erased. */
  markErased(): void
}

/** Whether the visitor may see an album, and the album. A browser that holds the album's owner key enters with it, also
 *  without a cookie or after the visitor entered as a guest (§6). The key is saved in the browser, or is in the private
 *  link that led here; then it is saved, too, beside those of other albums.
 *  @param as as whom the owner sees it */
export function useVisit(albumName: string, as?: 'guest'): AlbumVisitor {
  const { albums, client } = trpc.useUtils()
  const input = { albumName, as }
  const query = trpc.albums.visit.useQuery(input)
  const known = query.data
  const [{ ownerKey, from }, setKey] = useState(() => findKey(albumName))
  const linkedKey = useFragment(OWNER_KEY)
  if (linkedKey !== undefined && linkedKey !== ownerKey) setKey({ ownerKey: linkedKey, from: 'link' })

  async function refresh(): Promise<void> {
    await albums.visit.refetch(input)
    const { album, progress } = albums.visit.getData(input) ?? {}
    if (album && progress) showProgress(album, progress)
  }

  function show(album: EnteredAlbum, progress: Progress): void {
    updateVisit({ isAuthenticated: true, album, progress })
    showProgress(album, progress)
  }

  // A refusal of the earlier session must not end the new one.
  const showProgress = ({ id }: EnteredAlbum, progress: Progress) => albums.progress.setData({ id }, progress)

  // Only the service knows which album the key belongs to, and whether it is still valid.
  const { mutate: tryKey, ...keyTrial } = useMutation({
    mutationFn: async (key: string) => {
      const entered = await client.albums.enterAsOwner.mutate({ ownerKey: key })
      // Only organisers need its code. Where it does not come, the owner has entered all the same.
      await import('./owner-key.ts').then(
        ({ keepKey }) => keepKey(client, albumName, { key, from }, entered),
        () => {},
      )
      const { album, progress } = entered
      const isThis = album.albumName === albumName
      if (isThis && (!known || as)) await refresh()
      else if (isThis && !known?.album?.isOwner) show(album, progress)
    },
  })
  // Somebody behind the same network address has tried too many names. A password or a key opens the album all the same.
  const isNameRefused = !known && failureOf(query.error)?.status === 429
  const isOwner = known?.album?.isOwner === true
  const isKeyUseful = isNameRefused || (known?.albumExists && (!isOwner || from !== 'name'))
  const wasTried = !keyTrial.isIdle && keyTrial.variables === ownerKey
  const triesKey = ownerKey !== undefined && isKeyUseful === true && !wasTried
  useEffect(() => {
    if (triesKey) tryKey(ownerKey)
  }, [triesKey, tryKey, ownerKey])

  const updateVisit = (news: Partial<AlbumVisit>) =>
    albums.visit.setData(input, (former) => former && { ...former, ...news })

  function stepOf(): Visit {
    const isShut = known && (known.opensAt || known.isClosed)
    if (query.isError && !known?.album && !isNameRefused && !isShut)
      return {
        step: 'failed',
        error: query.error,
        retry: () => void refresh(),
      }
    if (!known && !isNameRefused) return { step: 'checking' }
    if (known && !known.albumExists) return { step: 'not-found' }
    if (known?.album && known.progress) return { step: 'open', album: known.album, progress: known.progress }
    if (known?.isAuthenticated || triesKey || keyTrial.isPending) return { step: 'checking' }
    if (isShut) return { step: 'shut', opensAt: known.opensAt, retry: () => void refresh() }
    const isKeyRefused = from !== 'hand' && failureOf(keyTrial.error)?.status === 404
    return { step: 'locked', displayName: known?.displayName ?? albumName, isKeyRefused }
  }

  return {
    visit: stepOf(),
    displayName: known?.displayName ?? undefined,
    enter() {
      updateVisit({ isAuthenticated: true })
      void refresh()
    },
    endSession({ triesKey = true } = {}) {
      keyTrial.reset()
      // Another tab may have logged out.
      setKey(triesKey ? findKey(albumName) : { ownerKey: undefined, from: 'name' })
      updateVisit({ isAuthenticated: false, album: null, progress: null })
      // The album may have been closed. The page then says so.
      void refresh()
    },
    markErased: () => updateVisit({ albumExists: false }),
  }
}

/** The saved owner key that may open an album. */
function findKey(albumName: string): { ownerKey: string | undefined; from: KeyFrom } {
  const own = readOrganiser(albumName)
  if (own) return { ownerKey: own.userAlbumId, from: 'name' }
  return { ownerKey: withoutName(readOrganiser())?.userAlbumId, from: 'hand' }
}

const withoutName = (album: Organiser | null) => (album?.userAlbumSlug === undefined ? album : null)
