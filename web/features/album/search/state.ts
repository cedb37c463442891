/** The search of an album by selfies (§4). Nothing here knows the browser's page. */

import type { Waiting } from '../../../lib/patience.ts'
import type { Remembered } from '../../../lib/persisted.ts'
import {
  type Found,
  isNotKept,
  isOutdated,
  renewed,
  withAnswer,
  withoutAnswer,
  withRemembering,
} from './found.ts'
import { type Answer, type Person, withoutTokens } from './person.ts'

export type Now =
  /** `isNew`: nothing was searched for since the visitor has entered. `over`: why the last results are gone; null for those
   *  of a visitor whom this browser remembered. */
  | { step: 'no selfie'; isNew: boolean; over?: string | null }
  /** `wait` while the service has no room for it. */
  | { step: 'searching'; person: Person; wait: Waiting | null }
  /** `error` is null when the visitor has cancelled. */
  | { step: 'failed'; person: Person; error: unknown }
  | { step: 'found' }

export interface SearchState {
  now: Now
  /** All of one person. */
  selfies: readonly File[]
  /** What the last search that succeeded has found. */
  found: Found | null
  /** How many have succeeded since the visitor saw the form. */
  search: number
  /** The visitor has left the results to add a selfie. */
  isAdding: boolean
  /** The search is repeated in the background for fresh addresses, and for what follows from the visitor's answers. */
  isRenewing: boolean
  /** What this browser has kept of the visitor. */
  remembered: Remembered | null
}

export type SearchEvent =
  | { type: 'selfies chosen'; selfies: readonly File[] }
  | { type: 'begun'; person: Person }
  | { type: 'waiting'; person: Person; wait: Waiting | null }
  | { type: 'found'; person: Person; found: Found }
  /** `error` is null when the visitor has cancelled. */
  | { type: 'failed'; person: Person; error: unknown }
  | { type: 'renewing' }
  | { type: 'renewed'; fresh: Found }
  | { type: 'not renewed'; former: Found }
  /** A search cannot be repeated, for this reason: its results are gone. */
  | { type: 'over'; person: Person; why: string }
  | { type: 'session ended' }
  | { type: 'answered'; answer: Answer }
  | { type: 'answer taken back' }
  | { type: 'adding a selfie' }
  /** The visitor starts over. */
  | { type: 'forgotten' }
  | { type: 'to remember' }
  /** This browser has kept what finds the visitor, or has forgotten it. */
  | { type: 'remembered'; remembered: Remembered | null }

export const entered = (remembered: Remembered | null): SearchState => ({
  now: { step: 'no selfie', isNew: true },
  selfies: [],
  found: null,
  search: 0,
  isAdding: false,
  isRenewing: false,
  remembered,
})

export function reduce(state: SearchState, event: SearchEvent): SearchState {
  const { now, found } = state
  switch (event.type) {
    case 'selfies chosen':
      return { ...state, selfies: event.selfies, now: now.step === 'failed' ? settled(found) : now }
    case 'begun':
      return { ...state, now: { step: 'searching', person: event.person, wait: null } }
    case 'waiting':
      return isAwaited(now, event.person) ? { ...state, now: { ...now, wait: event.wait } } : state
    case 'found': {
      if (!isAwaited(now, event.person)) return state
      const left = { isAdding: false, isRenewing: false }
      return { ...state, ...left, found: event.found, search: state.search + 1, now: { step: 'found' } }
    }
    case 'failed':
      if (!isAwaited(now, event.person)) return state
      return { ...state, now: { step: 'failed', person: event.person, error: event.error } }
    case 'renewing':
      return { ...state, isRenewing: true }
    case 'renewed':
      return { ...state, isRenewing: false, found: found && renewed(found, event.fresh) }
    case 'not renewed': {
      // The results stay. It is tried again for what the visitor says next. What they wanted to be kept is not.
      const { former } = event
      const tried = found && { ...found, asked: former.person.answers }
      const now = tried && isNotKept(former) ? withRemembering(tried, false) : tried
      return { ...state, isRenewing: false, found: now }
    }
    case 'over': {
      // The visitor waits for another search, whose answer takes the place of these results.
      if (now.step === 'searching' && now.person !== event.person) return { ...state, isRenewing: false }
      const { isRemembered } = event.person
      const { selfies } = state
      const over = isRemembered ? null : event.why
      return { ...entered(isRemembered ? null : state.remembered), selfies, now: { ...NO_SELFIE, over } }
    }
    case 'session ended': {
      const person = found && withoutTokens(found.person)
      return {
        ...state,
        isRenewing: false,
        now: settled(found, true),
        found: person && { ...found, person, asked: person.answers },
      }
    }
    case 'answered':
      return { ...state, found: found && withAnswer(found, event.answer) }
    case 'answer taken back': {
      const last = found?.person.answers.at(-1)
      return last ? { ...state, found: withoutAnswer(found!, last) } : state
    }
    case 'adding a selfie':
      return { ...state, isAdding: true }
    case 'forgotten':
      return { ...entered(state.remembered), now: NO_SELFIE }
    case 'to remember':
      return { ...state, found: found && withRemembering(found, true) }
    case 'remembered': {
      const { remembered } = event
      return { ...state, remembered, found: found && !remembered ? withRemembering(found, false) : found }
    }
  }
}

const NO_SELFIE = { step: 'no selfie', isNew: false } as const

const settled = (found: Found | null, isNew = false): Now =>
  found ? { step: 'found' } : { ...NO_SELFIE, isNew }

/** An answer to a search that the visitor has left changes nothing. */
const isAwaited = (now: Now, person: Person): now is Extract<Now, { step: 'searching' }> =>
  now.step === 'searching' && now.person === person

/** Whether the visitor waits for a search. */
export const isSearching = ({ now }: SearchState) => now.step === 'searching'

/** Whether a search for what follows from the visitor's answers is due or under way. */
export const isFollowingUp = ({ found }: SearchState): boolean => found !== null && isOutdated(found)

/** Who is, or was last, searched for. */
export const personOfState = ({ now, found }: SearchState): Person | undefined =>
  'person' in now ? now.person : found?.person
