import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AlbumVisit } from '../../../src/contract/album-visits.ts'
import type { EnteredAlbum, Progress } from '../../../src/contract/albums.ts'
import { OWNER_KEY } from '../../../src/contract/owner-link.ts'
import { failureOf } from '../../lib/failure.ts'
import { saveOrganiser } from '../../lib/save-values.ts'
import { readOrganiser } from '../../lib/saved-values.ts'
import { useFragment } from '../../lib/use-fragment.ts'
import { trpc } from '../../trpc.ts'
import { isEmpty } from './steps.ts'

export type Visit =
  | { step: 'checking' }
  | { step: 'failed'; error: unknown; retry: () => void }
  | { step: 'not-found' }
  /** `isKeyRefused`: the owner key of this browser is no longer valid. */
  | { step: 'locked'; displayName: string; isKeyRefused: boolean }
  | { step: 'open'; album: NonNullable<AlbumVisit['album']>; progress: Progress }

/** Which album the saved owner key opens, to which the upload page uploads. 'none': no valid key is known. 'another': this
 *  visitor is the owner by a private link, whose key could not be saved, or the saved key is of another album. */
export type SavedAlbum = 'none' | 'asking' | 'this' | 'another'

interface AlbumVisitor {
  visit: Visit
  displayName: string | undefined
  savedAlbum: SavedAlbum
  /** The visitor has entered the password. */
  enter(): void
  /** The visitor has logged out, or the service says that the session no longer has a grant. */
  endSession(): void
  /** The service says that the album has been erased. */
  markErased(): void
}

/** Whether the visitor may see an album, and the album. A browser that holds the album's owner key enters with it, also
 *  without a cookie or after the visitor entered as a guest (§6). The key is saved in the browser, or is in the private
 *  link that led here; then it is saved, too. */
export function useVisit(albumName: string): AlbumVisitor {
  const { albums, client } = trpc.useUtils()
  const query = trpc.albums.visit.useQuery({ albumName })
  const known = query.data
  const [{ ownerKey, isLinked }, setKey] = useState(readSavedKey)
  const linkedKey = useFragment(OWNER_KEY)
  if (linkedKey !== undefined && linkedKey !== ownerKey) setKey({ ownerKey: linkedKey, isLinked: true })

  async function refresh(): Promise<void> {
    await albums.visit.refetch({ albumName })
    const { album, progress } = albums.visit.getData({ albumName }) ?? {}
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
      const { album, progress, email } = await client.albums.enterAsOwner.mutate({ ownerKey: key })
      const isThis = album.albumName === albumName
      if (isThis && canSaveKeyOf(album.albumName))
        saveOrganiser({
          userEmail: email,
          eventName: album.displayName,
          userAlbumId: key,
          userAlbumSlug: album.albumName,
        })
      if (isThis && !known?.album?.isOwner) show(album, progress)
      return isThis && readOrganiser()?.userAlbumId === key
    },
  })
  // An empty album offers its owner the upload page, and that page uploads to the album of the saved key.
  const isKeyUseful =
    known?.albumExists &&
    (isLinked || !known.album?.isOwner || (known.progress !== null && isEmpty(known.progress)))
  const wasTried = !keyTrial.isIdle && keyTrial.variables === ownerKey
  const triesKey = ownerKey !== undefined && isKeyUseful === true && !wasTried
  useEffect(() => {
    if (triesKey) tryKey(ownerKey)
  }, [triesKey, tryKey, ownerKey])

  const updateVisit = (news: Partial<AlbumVisit>) =>
    albums.visit.setData({ albumName }, (former) => former && { ...former, ...news })

  function stepOf(): Visit {
    if (query.isError && !known?.album)
      return { step: 'failed', error: query.error, retry: () => void refresh() }
    if (!known) return { step: 'checking' }
    if (!known.albumExists) return { step: 'not-found' }
    if (known.album && known.progress) return { step: 'open', album: known.album, progress: known.progress }
    if (known.isAuthenticated || triesKey || keyTrial.isPending) return { step: 'checking' }
    const isKeyRefused = failureOf(keyTrial.error)?.status === 404 && (isLinked || canSaveKeyOf(albumName))
    return { step: 'locked', displayName: known.displayName ?? albumName, isKeyRefused }
  }

  return {
    visit: stepOf(),
    displayName: known?.displayName ?? undefined,
    savedAlbum: savedAlbumOf({ isAsking: triesKey || keyTrial.isPending, isSaved: keyTrial.data }),
    enter() {
      updateVisit({ isAuthenticated: true })
      void refresh()
    },
    endSession() {
      keyTrial.reset()
      // Another tab may have logged out.
      setKey(readSavedKey())
      updateVisit({ isAuthenticated: false, album: null, progress: null })
    },
    markErased: () => updateVisit({ albumExists: false }),
  }
}

/** The owner key that this browser has saved, if any. `isLinked`: a key is from a private link instead. */
const readSavedKey = () => ({ ownerKey: readOrganiser()?.userAlbumId, isLinked: false })

/** The browser saves one key. The key of another album is not replaced, because it may be the only copy. */
function canSaveKeyOf(albumName: string): boolean {
  const saved = readOrganiser()
  return saved === null || saved.userAlbumSlug === albumName
}

/** A key that the service refuses counts as none. */
function savedAlbumOf({
  isAsking,
  isSaved,
}: {
  isAsking: boolean
  isSaved: boolean | undefined
}): SavedAlbum {
  if (isAsking) return 'asking'
  if (isSaved === undefined) return 'none'
  return isSaved ? 'this' : 'another'
}
