import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { MatchedPhoto } from '../../../src/contract/search.ts'
import { failureText } from '../../lib/failure.ts'
import { trpc } from '../../trpc.ts'
import { toast } from '../../ui/toast-store.ts'
import { usePhotoLinks } from '../photos/use-photo-links.ts'
import { type SelfiePatience, StoppedWaiting, useSelfiePatience } from '../photos/use-selfie-patience.ts'
import { isAlbumGone, needsPassword, searchAlbum, searchFailure } from './search-album.ts'

/** A photo whose address is younger than this does not load for another reason: a fresh address would not help. */
const FRESH_MS = 60_000

interface Found {
  selfie: File
  /** Those that have been loaded, best match first. */
  photos: readonly MatchedPhoto[]
  /** The number of all. */
  total: number
  /** A text for each page that has not been loaded. */
  nextPages: readonly string[]
  /** When the first answer came, ms since 1970. */
  at: number
  /** How many photos could be found when the search began. */
  among: number
}

export interface AlbumEvents {
  /** The session has ended: the password is needed again. */
  onSessionEnded: () => void
  /** The album has been erased. */
  onGone: () => void
}

export interface AlbumSearch {
  /** Undefined until a search has succeeded. */
  photos: readonly MatchedPhoto[] | undefined
  /** How many there are, with those that have not been loaded. */
  total: number
  /** Loads the next page of photos. Resolves to false when that has failed. */
  loadMore(): Promise<boolean>
  isLoadingMore: boolean
  /** When their addresses were issued, ms since 1970. */
  issued: number | undefined
  /** How many photos could be found when the search began. */
  searched: number | undefined
  isSearching: boolean
  waiting: SelfiePatience['waiting']
  /** Cancels a search that waits. */
  stopWaiting(): void
  hasFailed: boolean
  start(selfie: File): void
  forget(): void
  /** Whether the photos' addresses are being renewed. */
  isRenewing: boolean
  /** Searches again with the same selfie, in the background: the addresses in the answer are fresh. */
  renew(): void
  /** Reports that a photo's address does not load. */
  reportFailure(): void
}

/** The search of an album by a selfie. The photos it found open for as long as the page is open: their addresses are
 *  renewed before they expire. They are also renewed when one of them fails: all fail after the owner has changed
 *  the password.
 *  @param photosReady how many photos of the album can currently be found */
export function useAlbumSearch(
  albumName: string,
  photosReady: number,
  { onSessionEnded, onGone }: AlbumEvents,
): AlbumSearch {
  const [found, setFound] = useState<Found | null>(null)
  const { waiting, stop, patiently } = useSelfiePatience()

  async function searchNow(selfie: File): Promise<Found> {
    const { photos, totalMatches, nextPages = [] } = await searchAlbum(albumName, selfie)
    const total = nextPages.length > 0 ? totalMatches : photos.length
    return { selfie, photos, total, nextPages, at: Date.now(), among: photosReady }
  }

  const { client } = trpc.useUtils()
  async function withNextPage(former: Found): Promise<Found> {
    const [page, ...nextPages] = former.nextPages
    if (page === undefined) return former
    const photos = [...former.photos, ...(await client.albums.foundPhotos.query({ albumName, page })).photos]
    // Photos that have been erased meanwhile are missing.
    return { ...former, photos, nextPages, total: nextPages.length > 0 ? former.total : photos.length }
  }

  const search = useMutation({
    mutationFn: (selfie: File) => patiently(() => searchNow(selfie)),
    onSuccess: setFound,
    onError: (error) => {
      if (error instanceof StoppedWaiting) return
      if (needsPassword(error)) onSessionEnded()
      else if (isAlbumGone(error)) onGone()
      else toast(searchFailure(error))
    },
  })

  // Many photos can fail before the page is drawn again: one renewal serves all.
  const renewing = useRef(false)
  const renewal = useMutation({
    onMutate: () => {
      renewing.current = true
    },
    onSettled: () => {
      renewing.current = false
    },
    mutationFn: async ({ selfie, photos }: Found) => {
      let fresh = await searchNow(selfie)
      while (fresh.photos.length < photos.length && fresh.nextPages.length > 0)
        fresh = await withNextPage(fresh)
      return fresh
    },
    onSuccess: (fresh) =>
      // The visitor may have started another search meanwhile.
      setFound((now) => (now?.selfie === fresh.selfie ? fresh : now)),
    onError: (error) => {
      if (needsPassword(error)) onSessionEnded()
      else if (isAlbumGone(error)) onGone()
    },
  })

  const more = useMutation({
    mutationFn: withNextPage,
    // The addresses may have been renewed meanwhile. Then the visitor asks again.
    onSuccess: (longer, former) => setFound((now) => (now === former ? longer : now)),
    onError: (error) => {
      if (needsPassword(error)) onSessionEnded()
      else if (isAlbumGone(error)) onGone()
      else toast({ title: 'The photos could not be loaded', description: failureText(error), tone: 'error' })
    },
  })

  function renew() {
    if (found && !renewing.current) renewal.mutate(found)
  }
  usePhotoLinks(found?.photos.length ? found.at : undefined, renew)

  return {
    photos: found?.photos,
    total: found?.total ?? 0,
    loadMore: async () =>
      found !== null &&
      (await more.mutateAsync(found).then(
        () => true,
        () => false,
      )),
    isLoadingMore: more.isPending,
    issued: found?.at,
    searched: found?.among,
    isSearching: search.isPending,
    waiting,
    stopWaiting: stop,
    hasFailed: search.isError,
    start: search.mutate,
    forget() {
      setFound(null)
      search.reset()
    },
    isRenewing: renewal.isPending,
    renew,
    reportFailure() {
      if (found && Date.now() - found.at >= FRESH_MS) renew()
    },
  }
}
