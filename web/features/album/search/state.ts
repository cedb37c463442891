/** The search of an album by selfies (§4). Nothing here knows the browser's page. */
import type { SearchOutput } from '../../../../src/contract/search.ts'
import type { Remembered } from '../../../lib/persisted.ts'
import type { SelfieWait } from '../../photos/use-selfie-patience.ts'
import {
  type Found,
  isOutdated,
  renewed,
  withAnswer,
  withNextPage,
  withoutAnswer,
  withRemembering,
} from './found.ts'
import { type Answer, type Person, withoutTokens } from './person.ts'

export type Now =
  /** `isNew`: nothing was searched for since the visitor has entered. `over`: why the last results are gone; of what this
   *  browser has remembered without a sentence. */
  | { step: 'no selfie'; isNew: boolean; over?: { why?: string } }
  /** `wait` while the service has no room for it. */
  | { step: 'searching'; person: Person; wait: SelfieWait | null }
  /** `error` is null when the visitor has cancelled. */
  | { step: 'failed'; person: Person; error: unknown }
  | { step: 'found' }

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
  /** The search is repeated in the background for fresh addresses, and for what follows from the visitor's answers. `due`: as
   *  soon as the visitor has entered again. `failed`: for the answers that the visitor has given. */
  renewal: 'none' | 'due' | 'running' | 'failed'
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
  /** `page` is missing when it has failed. */
  | { type: 'loaded more'; shown: Found; page?: SearchOutput }
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
  renewal: 'none',
  isLoadingMore: false,
  remembered,
})

export function reduce(state: SearchState, event: SearchEvent): SearchState {
  const { now, found } = state
  switch (event.type) {
    case 'selfies chosen':
      return { ...state, selfies: event.selfies, now: now.step === 'failed' ? settled(found) : now }
    case 'begun':
      return {
        ...state,
        search: state.search + 1,
        now: { step: 'searching', person: event.person, wait: null },
      }
    case 'waiting':
      return isAwaited(now, event.person) ? { ...state, now: { ...now, wait: event.wait } } : state
    case 'found': {
      if (!isAwaited(now, event.person)) return state
      const fresh = { ...event.found, search: state.search }
      return { ...state, found: fresh, isAdding: false, renewal: ofOther(state), now: settled(fresh) }
    }
    case 'failed':
      if (!isAwaited(now, event.person)) return state
      return { ...state, now: { step: 'failed', person: event.person, error: event.error } }
    case 'renewing':
      return { ...state, renewal: 'running' }
    case 'renewed':
      // The visitor may have started another search meanwhile.
      if (found?.search !== event.fresh.search) return { ...state, renewal: 'none' }
      return { ...state, renewal: 'none', found: renewed(found, event.fresh) }
    case 'not renewed':
      return notRenewed(state, event.former)
    case 'loading more':
      return { ...state, isLoadingMore: true }
    case 'loaded more': {
      const { shown, page } = event
      // The search may have been repeated meanwhile. Then the visitor asks again.
      const isSame = found?.at === shown.at && found.search === shown.search
      return { ...state, isLoadingMore: false, found: isSame && page ? withNextPage(found, page) : found }
    }
    case 'over': {
      const { isRemembered } = event.person
      const over = isRemembered ? {} : { why: event.why }
      const remembered = isRemembered ? null : state.remembered
      return { ...begunAnew(state), selfies: state.selfies, remembered, now: { ...NO_SELFIE, over } }
    }
    case 'session ended': {
      const left = { ...state, isLoadingMore: false, now: settled(found, true) }
      if (!found) return { ...left, renewal: 'none' }
      const person = withoutTokens(found.person)
      return { ...left, renewal: 'due', found: { ...found, person, asked: person.answers } }
    }
    case 'answered':
      return found ? { ...again(state), found: withAnswer(found, event.answer) } : state
    case 'answer taken back': {
      const last = found?.person.answers.at(-1)
      return last ? { ...again(state), found: withoutAnswer(found!, last) } : state
    }
    case 'adding a selfie':
      return { ...state, isAdding: true }
    case 'forgotten':
      return begunAnew(state)
    case 'to remember':
      return found ? { ...again(state), found: withRemembering(found, event.isToRemember) } : state
    case 'remembered':
      return { ...state, remembered: event.remembered }
  }
}

const NO_SELFIE = { step: 'no selfie', isNew: false } as const

const settled = (found: Found | null, isNew = false): Now =>
  found ? { step: 'found' } : { ...NO_SELFIE, isNew }

const begunAnew = (state: SearchState): SearchState => ({
  ...entered(state.remembered),
  search: state.search,
  renewal: ofOther(state),
  now: NO_SELFIE,
})

/** A renewal of former results that is under way goes on. */
const ofOther = ({ renewal }: SearchState) => (renewal === 'running' ? renewal : 'none')

/** After a failure, what the visitor does next leads to another renewal. */
const again = (state: SearchState): SearchState =>
  state.renewal === 'failed' ? { ...state, renewal: 'none' } : state

/** An answer to a search that the visitor has left changes nothing. */
const isAwaited = (now: Now, person: Person): now is Extract<Now, { step: 'searching' }> =>
  now.step === 'searching' && now.person === person

/** The results stay. What the visitor wanted to be kept is not. */
function notRenewed(state: SearchState, former: Found): SearchState {
  const { found } = state
  if (state.renewal !== 'running') return state
  if (found?.search !== former.search) return { ...state, renewal: 'none' }
  // For what the visitor has said since, it is tried again.
  const renewal = found.person.answers === former.person.answers ? 'failed' : 'none'
  return { ...state, renewal, found: isNotKept(found, former) ? withRemembering(found, false) : found }
}

/** Whether a search that was repeated so that this browser can keep what finds the visitor has been for nothing. */
export const isNotKept = (found: Found | null, former: Found) =>
  former.person.isToRemember === true && !found?.remembered

/** Whether the visitor waits for a search. */
export const isSearching = ({ now }: SearchState) => now.step === 'searching'

/** Whether a search for what follows from the visitor's answers is due or under way. After a failure only the next answer, or
 *  the next renewal of the addresses, tries again. */
export const isFollowingUp = ({ found, renewal }: SearchState): boolean =>
  found !== null && isOutdated(found) && renewal !== 'failed'

/** Who is, or was last, searched for. */
export const personOfState = ({ now, found }: SearchState): Person | undefined =>
  'person' in now ? now.person : found?.person
