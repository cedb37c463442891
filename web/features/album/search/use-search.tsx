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
import { type Found, foundBy, isNotKept, keptOf } from './found.ts'
import { type Person, personOfKept, personRemembered } from './person.ts'
import { entered, isFollowingUp, isSearching, reduce } from './state.ts'

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
  onSessionEnded: () => void
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
  const { now, found, selfies, remembered } = state
  const [seen] = useState(() => new Set(remembered?.photoIds))
  const consent = useConsent(album)
  /** Of the search that is under way. A ref, because many photos can fail before the page is drawn again: one renewal serves all. */
  const running = useRef<AbortController>(null)

  /** The answer of the search that is under way counts no more, and none that waits begins. */
  function stop() {
    running.current?.abort()
    running.current = null
  }

  function endSession() {
    stop()
    dispatch({ type: 'session ended' })
    onSessionEnded()
  }

  /** @param person of the search that failed
   *  @returns whether the visitor has to leave what the page shows */
  function leaves(error: unknown, person: Person): boolean {
    const status = failureOf(error)?.status
    if (status === 401) endSession()
    else if (status === 404 && !hasFoundNothing(error)) onGone()
    else if (reasonOf(error) === 'search_over') {
      // It cannot be repeated without its selfies.
      KEPT.search.forget(albumName)
      if (person.isRemembered) KEPT.remembered.forget(albumName)
      dispatch({ type: 'over', person, why: failureText(error) })
    } else return false
    return true
  }

  const tellNotRemembered = (description?: string) =>
    toast({ title: texts.notRemembered, description, tone: 'error' })

  /** @param isRenewal what the page shows is searched for again, in the background */
  async function search(person: Person, isRenewal = false) {
    stop()
    const controller = new AbortController()
    const { signal } = controller
    running.current = controller
    // A search with the same selfies needs no further tick, also if the organiser has begun to ask for one.
    const isKnown =
      person.selfies === found?.person.selfies && person.other?.selfie === found.person.other?.selfie
    const agreed = { ...consent, isTicked: isKnown || consent.isTicked }
    const loaded = SearchResults.preload?.()
    dispatch({ type: isRenewal ? 'renewing' : 'begun', person })
    try {
      const answer = await patiently(() => searchAlbum(albumName, person, agreed), {
        signal,
        onWait: (wait) => dispatch({ type: 'waiting', person, wait }),
      })
      await loaded
      signal.throwIfAborted()
      const fresh = foundBy(person, answer, { at: Date.now(), among: photosReady })
      dispatch({ type: 'found', person, found: fresh })
      if (!isRenewal) dismissFailures()
      else if (isNotKept(fresh)) tellNotRemembered()
    } catch (error) {
      if (!signal.aborted && leaves(error, person)) return
      dispatch({ type: 'failed', person, error: signal.aborted ? null : error })
      if (signal.aborted) return
      if (!isRenewal) {
        consent.learnFrom(error)
        toast(searchFailure(error))
      } else if (isNotKept({ person, remembered: found?.remembered })) tellNotRemembered(failureText(error))
    } finally {
      if (running.current === controller) running.current = null
    }
  }

  function renew() {
    if (found && !running.current) void search(found.person, true)
  }

  /** Shows what this tab showed before a reload, or what finds a visitor who has come back. */
  function beginAsBefore() {
    if (found || selfies.length > 0) return
    const kept = KEPT.search.read(albumName)
    if (kept) void search(personOfKept(kept))
    else if (remembered) void search(personRemembered(remembered.searchToken))
  }

  // After the visitor has entered again, the addresses of a former password are renewed.
  const enter = useEffectEvent(renew)
  const leave = useEffectEvent(stop)
  useEffect(() => {
    enter()
    return () => leave()
  }, [])

  const hasPhotos = found && found.photos.length + found.possible.length > 0
  usePhotoLinks(hasPhotos ? found.at : undefined, renew)

  const isDue = isFollowingUp(state) && !isSearching(state) && now.step !== 'renewing'
  const answers = found?.person.answers
  const followUp = useEffectEvent(renew)
  const pause = found && isNotKept(found) ? 0 : REPEATED_AFTER_MS
  useEffect(() => {
    if (!isDue || !answers) return
    const timer = setTimeout(() => followUp(), pause)
    return () => clearTimeout(timer)
  }, [isDue, answers, pause])

  const keep = useEffectEvent((what: Found) => {
    const kept = keptOf(what)
    // What was kept before is no longer true, also if there is no room for this.
    KEPT.search.forget(albumName)
    if (kept) KEPT.search.write(kept, albumName)
    if (!what.remembered || !what.person.isToRemember || what.remembered === remembered) return
    const isKept = KEPT.remembered.write(what.remembered, albumName)
    if (!isKept) {
      KEPT.remembered.forget(albumName)
      tellNotRemembered(texts.notAllowed)
    }
    dispatch({ type: 'remembered', remembered: isKept ? what.remembered : null })
  })
  useEffect(() => {
    if (found) keep(found)
  }, [found])

  function startOver(keepsSelfies = false) {
    stop()
    KEPT.search.forget(albumName)
    consent.tick(false)
    dispatch({ type: 'starting over', keepsSelfies })
  }

  return {
    albumName,
    state,
    dispatch,
    consent,
    /** The ids of the photos that the visitor saw at the last visit. */
    seen,
    begin: (person: Person) => void search(person),
    beginAsBefore,
    /** Cancels a search that waits. */
    stop,
    startOver,
    /** Searches anew for the same person. */
    renew,
    /** Photos that were found go away with what was kept. */
    forgetMe() {
      KEPT.remembered.forget(albumName)
      dispatch({ type: 'remembered', remembered: null })
      startOver(!found)
      toast({ title: texts.forgotten, description: texts.forgottenText, tone: 'success' })
    },
    /** The service says that the password is needed again. */
    endSession,
  }
}
