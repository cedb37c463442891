import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { albumSearch as texts } from '../../../src/texts/english/search.ts'
import { failureText } from '../../lib/failure.ts'
import { dismissFailures, toast } from '../../ui/toast-store.ts'
import { loadEarly } from '../photos/first-picture.ts'
import { newKeptGrid } from '../photos/kept-grid.ts'
import type { Consent } from '../photos/use-consent.ts'
import { renewAfterFailure, usePhotoLinks, whenRefused } from '../photos/use-photo-links.ts'
import { StoppedWaiting, useSelfiePatience } from '../photos/use-selfie-patience.ts'
import type { AlbumEvents, AlbumSearch } from './album-search-types.ts'
import { COLUMNS_ON_PHONES } from './columns.ts'
import {
  type Found,
  foundBy,
  isKnown,
  isOutdated,
  isShorter,
  type Person,
  personOf,
  personOfFace,
  personOfKept,
  personRemembered,
  renewed,
  withAnswer,
  withNextPage,
  withoutAnswer,
  withoutTokens,
  withRemembering,
} from './found.ts'
import { forgetKeptSearch } from './kept-search.ts'
import type { KeptVisit } from './kept-visit.ts'
import {
  isAlbumGone,
  needsPassword,
  searchAlbum,
  searchFailure,
  searchOver,
  selfieRefusal,
} from './search-album.ts'

/** Ms from the last answer to the repeated search. A visitor who answers several questions quickly needs only one more
 *  search. */
const REPEATED_AFTER_MS = 1_500

/** A search with the same selfies needs no further consent, also if the organiser has begun to ask for a tick since. */
const AGREED_BEFORE = { isTicked: true }

interface SearchEvents extends AlbumEvents {
  /** What this browser has kept of the visitor is no longer valid. */
  onForgotten: () => void
}

/** The search of an album by selfies. The found photos can be opened as long as the page is open: their addresses are
 *  renewed before they expire. They are also renewed when one of them fails: all fail after the owner has changed
 *  the password.
 *  @param photosReady how many photos of the album can currently be found
 *  @param kept what was found before the visitor had to enter the password again. Its addresses are renewed at once */
export function useAlbumSearch(
  albumName: string,
  photosReady: number,
  consent: Consent,
  kept: KeptVisit,
  { onSessionEnded, onGone, onForgotten }: SearchEvents,
): AlbumSearch {
  const [found, setFound] = useState(kept.found)
  useEffect(() => {
    kept.found = found
  }, [kept, found])
  const [over, setOver] = useState<string>()
  const lastSearch = useRef(kept.found?.search ?? 0)
  const { waiting, stop, patiently } = useSelfiePatience()
  const { patiently: patientlyAgain } = useSelfiePatience()

  /** @param given what this visitor has agreed to */
  async function searchNow(person: Person, search: number, given: Pick<Consent, 'isTicked'>): Promise<Found> {
    const answer = await searchAlbum(albumName, person, given)
    return foundBy(person, answer, { search, at: Date.now(), among: photosReady })
  }

  const nextPage = ({ person, next }: Found) => searchAlbum(albumName, person, AGREED_BEFORE, next)

  /** @param person of the search that failed
   *  @returns whether the visitor has to leave what the page shows */
  function leaves(error: unknown, person: Person): boolean {
    if (needsPassword(error)) onSessionEnded()
    else if (isAlbumGone(error)) onGone()
    else {
      const why = searchOver(error)
      if (why === undefined) return false
      setFound(null)
      if (person.isRemembered) onForgotten()
      else setOver(why)
    }
    return true
  }

  const search = useMutation({
    onMutate: () => setOver(undefined),
    mutationFn: async (person: Person) => {
      const given = found && isKnown(person, found.person) ? AGREED_BEFORE : consent
      const fresh = await patiently(() => searchNow(person, ++lastSearch.current, given))
      loadEarly(fresh.photos, COLUMNS_ON_PHONES)
      return fresh
    },
    onSuccess(found) {
      dismissFailures()
      kept.results = newKeptGrid()
      setFound(found)
    },
    onError: (error, person) => {
      if (error instanceof StoppedWaiting || leaves(error, person)) return
      consent.learnFrom(error)
      toast(searchFailure(error))
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
    mutationFn: async (former: Found) => {
      const person = { ...former.person, answers: former.answers }
      let fresh = await patientlyAgain(() => searchNow(person, former.search, AGREED_BEFORE))
      while (isShorter(fresh, former)) fresh = withNextPage(fresh, await nextPage(fresh))
      return fresh
    },
    onSuccess: (fresh) =>
      // The visitor may have started another search meanwhile.
      setFound((now) => (now?.search === fresh.search ? renewed(now, fresh) : now)),
    onError: (error, { person }) => {
      if (leaves(error, person) || !person.isToRemember || found?.remembered) return
      setFound((now) => now && withRemembering(now, false))
      toast({ title: texts.notRemembered, description: failureText(error), tone: 'error' })
    },
  })

  function renew(now = found) {
    if (now && !renewing.current) renewal.mutate(now)
  }

  const renewKept = useEffectEvent(() => {
    if (!kept.hasEnded) return
    kept.hasEnded = false
    if (found) renew(withoutTokens(found))
  })
  useEffect(() => renewKept(), [])

  function remember() {
    if (!found) return
    const asked = withRemembering(found, true)
    setFound(asked)
    // While the search is being repeated for another reason, it is repeated once more afterwards.
    renew(asked)
  }
  usePhotoLinks(found?.photos.length || found?.possible.length ? found.at : undefined, () => renew())

  // After a failure only the next answer, or the next renewal of the addresses, tries again.
  const hasTried = renewal.isError && renewal.variables.answers === found?.answers
  const isBusy = search.isPending || renewal.isPending
  const isFollowingUp = found !== null && isOutdated(found) && !hasTried
  const followUp = useEffectEvent(() => renew())
  const answers = found?.answers
  useEffect(() => {
    if (!isFollowingUp || isBusy || !answers) return
    const timer = setTimeout(followUp, REPEATED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isFollowingUp, isBusy, answers])

  const more = useMutation({
    mutationFn: (shown: Found) => nextPage(shown),
    // The search may have been repeated meanwhile. Then the visitor asks again.
    onSuccess: (page, { person }) =>
      setFound((now) => (now && now.person.sent === person.sent ? withNextPage(now, page) : now)),
    onError: (error, { person }) => {
      if (leaves(error, person)) return
      toast({ title: texts.notLoaded, description: failureText(error), tone: 'error' })
    },
  })

  const anyPhoto = found?.photos[0] ?? found?.possible[0]
  return {
    found,
    isSearching: search.isPending,
    waiting,
    stopWaiting: stop,
    hasFailed: search.isError,
    refusal: selfieRefusal(search.error),
    forgetRefusal: search.reset,
    start: (selfies) => search.mutate(personOf(selfies, found)),
    startRemembered: (searchToken) => search.mutate(personRemembered(searchToken)),
    isRemembered: search.variables?.isRemembered === true,
    restore: (kept) => search.mutate(personOfKept(kept)),
    isRestored: search.variables?.sent !== undefined && search.variables.selfies.length === 0,
    over,
    remember,
    isRemembering: found !== null && found.person.isToRemember === true && !found.remembered,
    stopRemembering: () => setFound((now) => now && withRemembering(now, false)),
    searchWith(other) {
      if (found) search.mutate({ ...found.person, answers: found.answers, other })
    },
    chooseFace(selfie, face) {
      if (found) search.mutate(personOfFace(found.person, selfie, face))
    },
    answer: (photo, isMe) => setFound((now) => now && withAnswer(now, { photo, isMe })),
    undo: () =>
      setFound((now) => {
        const last = now?.answers.at(-1)
        return now && last ? withoutAnswer(now, last) : now
      }),
    forget() {
      forgetKeptSearch(albumName)
      setFound(null)
      setOver(undefined)
      search.reset()
    },
    loadMore: async () =>
      found !== null &&
      (await more.mutateAsync(found).then(
        () => true,
        () => false,
      )),
    isLoadingMore: more.isPending,
    isRenewing: renewal.isPending,
    isFollowingUp,
    renew: () => renew(),
    reportFailure: () => renewAfterFailure(found?.at, anyPhoto, () => renew()),
    checkAddresses: () => void whenRefused(anyPhoto, () => renew()),
  }
}
