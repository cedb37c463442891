import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { PHOTO_LINK_LIFETIME_MS } from '../../../src/contract/limits.ts'
import type { MatchedPhoto } from '../../../src/contract/search.ts'
import { toast } from '../../ui/toast-store.ts'
import { needsPassword, searchAlbum, searchFailure } from './search-album.ts'

/** The addresses of the photos found are renewed this long before they may expire. */
const RENEWED_BEFORE_MS = 5 * 60_000
/** How often their age is looked at. The clock on the wall is asked, since timers stand still while a machine
 *  sleeps. */
const LOOKED_AT_EVERY_MS = 30_000
/** A younger address that fails is not cured by a fresh one. */
const PROVEN_MS = 60_000

interface Found {
  selfie: File
  photos: readonly MatchedPhoto[]
  /** When the answer came, milliseconds since 1970 on this machine's clock. */
  at: number
}

export interface AlbumSearch {
  /** Undefined until a search has succeeded. */
  photos: readonly MatchedPhoto[] | undefined
  /** When their addresses were given out. */
  issued: number | undefined
  isSearching: boolean
  hasFailed: boolean
  start(selfie: File): void
  forget(): void
  /** Whether the photos' addresses are being renewed. */
  isRenewing: boolean
  /** Searches again with the same selfie, without a word: the addresses in the answer are fresh. */
  renew(): void
  /** Tells that a photo's address does not load. */
  reportFailure(): void
}

/** The search of an album by a selfie. What it found stays reachable for as long as the page is open: the
 *  photos' addresses are renewed before they expire, when the visitor comes back to the tab after that, and when
 *  one of them fails, as all do once the owner has changed the password. */
export function useAlbumSearch(albumName: string, onSessionEnded: () => void): AlbumSearch {
  const [found, setFound] = useState<Found | null>(null)

  const search = useMutation({
    mutationFn: (selfie: File) => searchAlbum(albumName, selfie),
    onSuccess: ({ photos }, selfie) => setFound({ selfie, photos, at: Date.now() }),
    onError: (error) => {
      if (needsPassword(error)) onSessionEnded()
      else toast(searchFailure(error))
    },
  })

  const renewal = useMutation({
    mutationFn: ({ selfie }: Found) => searchAlbum(albumName, selfie),
    onSuccess: ({ photos }, { selfie }) =>
      // Unless the visitor has gone on to another search meanwhile.
      setFound((now) => (now?.selfie === selfie ? { selfie, photos, at: Date.now() } : now)),
    onError: (error) => {
      if (needsPassword(error)) onSessionEnded()
    },
  })

  const { mutate: startRenewal, isPending: isRenewing } = renewal
  useEffect(() => {
    if (!found || found.photos.length === 0 || isRenewing) return
    const renewIfOld = () => {
      const age = Date.now() - found.at
      if (age >= PHOTO_LINK_LIFETIME_MS - RENEWED_BEFORE_MS && document.visibilityState === 'visible')
        startRenewal(found)
    }
    const timer = setInterval(renewIfOld, LOOKED_AT_EVERY_MS)
    document.addEventListener('visibilitychange', renewIfOld)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', renewIfOld)
    }
  }, [found, isRenewing, startRenewal])

  function renew() {
    if (found && !isRenewing) startRenewal(found)
  }

  return {
    photos: found?.photos,
    issued: found?.at,
    isSearching: search.isPending,
    hasFailed: search.isError,
    start: search.mutate,
    forget() {
      setFound(null)
      search.reset()
    },
    isRenewing,
    renew,
    reportFailure() {
      if (found && Date.now() - found.at >= PROVEN_MS) renew()
    },
  }
}
