/** The search of an album by selfies (§4). Nothing here knows the browser's page. */
import type { SearchOutput } from '../../../../src/contract/search.ts'
import type { Remembered } from '../../../lib/persisted.ts'
import type { SelfieWait } from '../../photos/use-selfie-patience.ts'
import {
  type Answer,
  type Found,
  isOutdated,
  type Person,
  renewed,
  withAnswer,
  withNextPage,
  withoutAnswer,
  withoutTokens,
  withRemembering,
} from './found.ts'

export type Now =
  /** `isNew`: nothing was searched for since the visitor has entered. `over`: why the last results are gone; of what this
   *  browser has remembered without a sentence. */
  | { step: 'no selfie'; isNew: boolean; over?: { why?: string } }
  | { step: 'searching'; person: Person }
  | { step: 'waiting for room'; person: Person; wait: SelfieWait }
  /** `error` is null when the visitor has cancelled. */
  | { step: 'failed'; person: Person; error: unknown }
  /** Photos that surely show the visitor; none of them, but questions; neither. */
  | { step: 'found' | 'asking' | 'nothing found' }

/** The search is repeated in the background for fresh addresses, and for what follows from the visitor's answers. `due`: as
 *  soon as the visitor has entered again. */
export type Renewal = { step: 'none' | 'due' | 'running' } | { step: 'failed'; answers: readonly Answer[] }

export interface SearchState {
  now: Now
  /** All of one person. */
  selfies: readonly File[]
  /** How many searches have begun. */
  search: number
  /** What the last search that succeeded has found. */
  found: Found | null
  /** The visitor has left the results to add a selfie. */
  isAdding: boolean
  renewal: Renewal
  isLoadingMore: boolean
  /** What this browser has kept of the visitor. */
  remembered: Remembered | null
}

export type SearchEvent =
  | { type: 'selfies chosen'; selfies: readonly File[] }
  | { type: 'begun'; person: Person }
  | { type: 'waiting'; person: Person; wait: SelfieWait | null }
  | { type: 'found'; person: Person; found: Found }
  /** `error` is null when the visitor has cancelled. */
  | { type: 'failed'; person: Person; error: unknown }
  | { type: 'renewing' }
  | { type: 'renewed'; fresh: Found }
  | { type: 'not renewed'; former: Found }
  | { type: 'loading more' }
  | { type: 'loaded more'; shown: Found; page: SearchOutput }
  | { type: 'not loaded more' }
  /** A search cannot be repeated, for this reason: its results are gone. */
  | { type: 'over'; person: Person; why: string }
  | { type: 'session ended' }
  | { type: 'answered'; answer: Answer }
  | { type: 'answer taken back' }
  | { type: 'adding a selfie' }
  /** The visitor starts over. */
  | { type: 'forgotten' }
  | { type: 'to remember'; isToRemember: boolean }
  /** This browser has kept what finds the visitor, or has forgotten it. */
  | { type: 'remembered'; remembered: Remembered | null }

export const entered = (remembered: Remembered | null): SearchState => ({
  now: { step: 'no selfie', isNew: true },
  selfies: [],
  search: 0,
  found: null,
  isAdding: false,
  renewal: { step: 'none' },
  isLoadingMore: false,
  remembered,
})

export function reduce(state: SearchState, event: SearchEvent): SearchState {
  const { now, found } = state
  switch (event.type) {
    case 'selfies chosen':
      return { ...state, selfies: event.selfies, now: now.step === 'failed' ? settled(found) : now }
    case 'begun':
      return { ...state, search: state.search + 1, now: { step: 'searching', person: event.person } }
    case 'waiting': {
      const { person, wait } = event
      if (!isAwaited(now, person)) return state
      return {
        ...state,
        now: wait ? { step: 'waiting for room', person, wait } : { step: 'searching', person },
      }
    }
    case 'found': {
      if (!isAwaited(now, event.person)) return state
      const fresh = { ...event.found, search: state.search }
      return { ...state, found: fresh, isAdding: false, renewal: ofOther(state), now: settled(fresh) }
    }
    case 'failed':
      if (!isAwaited(now, event.person)) return state
      return { ...state, now: { step: 'failed', person: event.person, error: event.error } }
    case 'renewing':
      return { ...state, renewal: { step: 'running' } }
    case 'renewed':
      // The visitor may have started another search meanwhile.
      return shows(
        { ...state, renewal: { step: 'none' } },
        found?.search === event.fresh.search ? renewed(found, event.fresh) : found,
      )
    case 'not renewed':
      return notRenewed(state, event.former)
    case 'loading more':
      return { ...state, isLoadingMore: true }
    case 'loaded more':
      // The search may have been repeated meanwhile. Then the visitor asks again.
      return shows(
        { ...state, isLoadingMore: false },
        found && found.person.sent === event.shown.person.sent ? withNextPage(found, event.page) : found,
      )
    case 'not loaded more':
      return { ...state, isLoadingMore: false }
    case 'over': {
      const { isRemembered } = event.person
      const over = isRemembered ? {} : { why: event.why }
      const remembered = isRemembered ? null : state.remembered
      return { ...begunAnew(state), selfies: state.selfies, remembered, now: { ...NO_SELFIE, over } }
    }
    case 'session ended': {
      const renewal: Renewal = { step: found ? 'due' : 'none' }
      const kept = found && withoutTokens(found)
      return { ...state, now: settled(kept, true), found: kept, renewal, isLoadingMore: false }
    }
    case 'answered':
      return shows(state, found && withAnswer(found, event.answer))
    case 'answer taken back': {
      const last = found?.answers.at(-1)
      return last ? shows(state, withoutAnswer(found!, last)) : state
    }
    case 'adding a selfie':
      return { ...state, isAdding: true }
    case 'forgotten':
      return begunAnew(state)
    case 'to remember':
      return shows(state, found && withRemembering(found, event.isToRemember))
    case 'remembered':
      return { ...state, remembered: event.remembered }
  }
}

const NO_SELFIE = { step: 'no selfie', isNew: false } as const

const settled = (found: Found | null, isNew = false): Now => {
  if (!found) return { step: 'no selfie', isNew }
  if (found.photos.length > 0) return { step: 'found' }
  return { step: found.possible.length > 0 ? 'asking' : 'nothing found' }
}

/** Other results, also while the visitor waits for another search. */
function shows(state: SearchState, found: Found | null): SearchState {
  const { now } = state
  const isSettled = now.step === 'found' || now.step === 'asking' || now.step === 'nothing found'
  return { ...state, found, now: isSettled ? settled(found) : now }
}

const begunAnew = (state: SearchState): SearchState => ({
  ...entered(state.remembered),
  search: state.search,
  renewal: ofOther(state),
  now: NO_SELFIE,
})

/** A renewal of former results that is under way goes on. */
const ofOther = ({ renewal }: SearchState): Renewal =>
  renewal.step === 'running' ? renewal : { step: 'none' }

/** An answer to a search that the visitor has left changes nothing. */
const isAwaited = (now: Now, person: Person) =>
  (now.step === 'searching' || now.step === 'waiting for room') && now.person === person

/** The results stay. What the visitor wanted to be kept is not. */
function notRenewed(state: SearchState, former: Found): SearchState {
  const { found } = state
  if (state.renewal.step !== 'running') return state
  if (found?.search !== former.search) return { ...state, renewal: { step: 'none' } }
  const next: SearchState = { ...state, renewal: { step: 'failed', answers: former.answers } }
  return isNotKept(found, former) ? shows(next, withRemembering(found, false)) : next
}

/** Whether a search that was repeated so that this browser can keep what finds the visitor has been for nothing. */
export const isNotKept = (found: Found | null, former: Found) =>
  former.person.isToRemember === true && !found?.remembered

/** Whether the visitor waits for a search. */
export const isSearching = ({ now }: SearchState) =>
  now.step === 'searching' || now.step === 'waiting for room'

/** Whether a search for what follows from the visitor's answers is due or under way. After a failure only the next answer, or
 *  the next renewal of the addresses, tries again. */
export function isFollowingUp({ found, renewal }: SearchState): boolean {
  const hasTried = renewal.step === 'failed' && renewal.answers === found?.answers
  return found !== null && isOutdated(found) && !hasTried
}

/** Who is, or was last, searched for. */
export const personOfState = ({ now, found }: SearchState): Person | undefined =>
  'person' in now ? now.person : found?.person
