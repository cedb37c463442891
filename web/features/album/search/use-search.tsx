import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useReducer,
  useRef,
  useState,
} from 'react'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { albumSearch as texts } from '../../../../src/texts/english/search.ts'
import { failureOf, failureText, reasonOf } from '../../../lib/failure.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { patiently } from '../../../lib/patience.ts'
import { KEPT } from '../../../lib/persisted.ts'
import { dismissFailures, toast } from '../../../ui/toast-store.ts'
import { useConsent } from '../../photos/consent.tsx'
import { usePhotoLinks } from '../../photos/use-photo-links.ts'
import { hasFoundNothing, searchAlbum, searchFailure } from './api.ts'
import { type Found, foundBy, isNotKept } from './found.ts'
import { keptOf, type Person, personOfKept, personRemembered } from './person.ts'
import { entered, isFollowingUp, isSearching, personOfState, reduce } from './state.ts'

/** Ms from the last answer to the repeated search. A visitor who answers several questions quickly needs only one more
 *  search. */
const REPEATED_AFTER_MS = 1_500

/** Each search waits for this code, so it has loaded when the answer comes. */
export const SearchResults = lazyPart(() => import('./search-results.tsx'))

const Context = createContext<ReturnType<typeof useSearchOf> | null>(null)

/** What the parts of the search see of it, and what they may do. */
export function useSearch() {
  return use(Context)!
}

/** Of a part that is shown with results only. */
export function useFound(): Found {
  return useSearch().state.found!
}

export interface SearchProviderProps {
  album: EnteredAlbum
  /** How many photos of the album can currently be found. */
  photosReady: number
  /** @param keepsSelfie whether the visitor has chosen a selfie, which stays chosen */
  onSessionEnded: (keepsSelfie: boolean) => void
  /** The album has been erased. */
  onGone: () => void
}

export function SearchProvider({ children, ...props }: SearchProviderProps & { children: ReactNode }) {
  return <Context value={useSearchOf(props)}>{children}</Context>
}

/** The search of an album. The found photos can be opened as long as the page is open: their addresses are renewed before
 *  they expire, and when one of them fails: all fail after the owner has changed the password. */
function useSearchOf({ album, photosReady, onSessionEnded, onGone }: SearchProviderProps) {
  const { albumName } = album
  const [state, dispatch] = useReducer(reduce, albumName, (name) => entered(KEPT.remembered.read(name)))
  const { found, selfies } = state
  const [seen] = useState(() => new Set(state.remembered?.photoIds))
  const consent = useConsent(album)
  const waiting = useRef<AbortController>(null)
  // Many photos can fail before the page is drawn again: one renewal serves all.
  const renewing = useRef<AbortController>(null)
  const stopWaiting = () => waiting.current?.abort()
  /** Of results that the visitor leaves. Another renewal may begin at once. */
  function stopRenewing() {
    renewing.current?.abort()
    renewing.current = null
  }

  /** @param isTicked a search with the same selfies needs no further tick, also if the organiser has begun to ask for one */
  async function ask(person: Person, isTicked = true): Promise<Found> {
    const agreed = { ...consent, isTicked }
    const [answer] = await Promise.all([searchAlbum(albumName, person, agreed), SearchResults.preload?.()])
    return foundBy(person, answer, { at: Date.now(), among: photosReady })
  }

  function endSession() {
    stopRenewing()
    dispatch({ type: 'session ended' })
    onSessionEnded(selfies.length > 0)
  }

  /** @param person of the search that failed
   *  @returns whether the visitor has to leave what the page shows */
  function leaves(error: unknown, person: Person): boolean {
    const status = failureOf(error)?.status
    if (status === 401) endSession()
    else if (status === 404 && !hasFoundNothing(error)) onGone()
    else if (reasonOf(error) === 'search_over') {
      // It cannot be repeated without its selfies.
      stopRenewing()
      KEPT.search.forget(albumName)
      if (person.isRemembered) KEPT.remembered.forget(albumName)
      dispatch({ type: 'over', person, why: failureText(error) })
    } else return false
    return true
  }

  async function begin(person: Person) {
    waiting.current = new AbortController()
    const { signal } = waiting.current
    const { selfies: known, other } = found?.person ?? {}
    const isKnown = person.selfies === known && person.other?.selfie === other?.selfie
    dispatch({ type: 'begun', person })
    try {
      const fresh = await patiently(() => ask(person, isKnown || consent.isTicked), {
        signal,
        onWait: (wait) => dispatch({ type: 'waiting', person, wait }),
      })
      signal.throwIfAborted()
      dismissFailures()
      stopRenewing()
      dispatch({ type: 'found', person, found: fresh })
    } catch (error) {
      if (signal.aborted) return dispatch({ type: 'failed', person, error: null })
      if (leaves(error, person)) return
      consent.learnFrom(error)
      toast(searchFailure(error))
      dispatch({ type: 'failed', person, error })
    }
  }

  async function renew() {
    if (!found || renewing.current) return
    renewing.current = new AbortController()
    const { signal } = renewing.current
    dispatch({ type: 'renewing' })
    try {
      const fresh = await patiently(() => ask(found.person), { signal })
      signal.throwIfAborted()
      renewing.current = null
      dispatch({ type: 'renewed', fresh })
      if (isNotKept(fresh)) toast({ title: texts.notRemembered, tone: 'error' })
    } catch (error) {
      if (signal.aborted || leaves(error, found.person)) return
      renewing.current = null
      dispatch({ type: 'not renewed', former: found })
      if (isNotKept(found))
        toast({ title: texts.notRemembered, description: failureText(error), tone: 'error' })
    }
  }

  /** Shows what this tab showed before a reload, or what finds a visitor who has come back. */
  function beginAsBefore() {
    const { now, remembered } = state
    if (now.step !== 'no selfie' || !now.isNew || selfies.length > 0) return
    const kept = KEPT.search.read(albumName)
    if (kept) void begin(personOfKept(kept))
    else if (remembered) void begin(personRemembered(remembered.searchToken))
  }

  // After the visitor has entered again, the addresses of a former password are renewed.
  const enter = useEffectEvent(() => void renew())
  const leave = useEffectEvent(() => {
    stopWaiting()
    stopRenewing()
  })
  useEffect(() => {
    enter()
    return () => leave()
  }, [])

  const hasPhotos = found && found.photos.length + found.possible.length > 0
  usePhotoLinks(hasPhotos ? found.at : undefined, () => void renew())

  const isRepeated = isFollowingUp(state) && !isSearching(state) && !state.isRenewing
  const answers = found?.person.answers
  const followUp = useEffectEvent(() => void renew())
  const pause = found && isNotKept(found) ? 0 : REPEATED_AFTER_MS
  useEffect(() => {
    if (!isRepeated || !answers) return
    const timer = setTimeout(followUp, pause)
    return () => clearTimeout(timer)
  }, [isRepeated, answers, pause])

  const keep = useEffectEvent(({ person, remembered }: Found) => {
    const kept = keptOf(person)
    // What was kept before is no longer true, also if there is no room for this.
    KEPT.search.forget(albumName)
    if (kept) KEPT.search.write(kept, albumName)
    if (!remembered || remembered === state.remembered) return
    const isKept = KEPT.remembered.write(remembered, albumName)
    if (!isKept) {
      KEPT.remembered.forget(albumName)
      toast({ title: texts.notRemembered, description: texts.notAllowed, tone: 'error' })
    }
    dispatch({ type: 'remembered', remembered: isKept ? remembered : null })
  })
  useEffect(() => {
    if (found) keep(found)
  }, [found])

  function searchAgain() {
    stopWaiting()
    stopRenewing()
    KEPT.search.forget(albumName)
    consent.tick(false)
    dispatch({ type: 'forgotten' })
  }

  return {
    albumName,
    state,
    dispatch,
    consent,
    /** The ids of the photos that the visitor saw at the last visit. */
    seen,
    begin: (person: Person) => void begin(person),
    beginAsBefore,
    /** Cancels a search that waits. */
    stopWaiting,
    searchAgain,
    /** Searches anew for the same person. */
    renew: () => void renew(),
    forgetMe() {
      KEPT.remembered.forget(albumName)
      dispatch({ type: 'remembered', remembered: null })
      // Photos that were found by what was kept go away with it.
      if (personOfState(state)?.isRemembered) searchAgain()
      toast({ title: texts.forgotten, description: texts.forgottenText, tone: 'success' })
    },
    /** The service says that the password is needed again. */
    endSession,
  }
}
