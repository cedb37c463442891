/** The search of an album by selfies (§4). Nothing here knows the browser's page. */

import type { Waiting } from '../../../lib/patience.ts'
import type { Remembered } from '../../../lib/persisted.ts'
import {
  type Found,
  isOutdated,
  notRenewed,
  renewed,
  withAnswer,
  withoutAnswer,
  withRemembering,
} from './found.ts'
import { type Answer, type Person, withoutTokens } from './person.ts'

export type Now =
  /** `over`: why the last results are gone. */
  | { step: 'idle'; over?: string }
  /** `wait` while the service has no room for it. */
  | { step: 'searching'; person: Person; wait: Waiting | null }
  /** The search is repeated in the background for fresh addresses, and for what follows from the visitor's answers. */
  | { step: 'renewing'; person: Person }
  /** `error` is null when the visitor has cancelled. */
  | { step: 'failed'; person: Person; error: unknown }

export interface SearchState {
  now: Now
  /** All of one person. */
  selfies: readonly File[]
  /** What the last search that succeeded has found. */
  found: Found | null
  /** How many have succeeded, without those in the background. */
  search: number
  /** What this browser has kept of the visitor. */
  remembered: Remembered | null
}

export type SearchEvent =
  | { type: 'selfies chosen'; selfies: readonly File[] }
  | { type: 'begun' | 'renewing'; person: Person }
  | { type: 'waiting'; person: Person; wait: Waiting | null }
  | { type: 'found'; person: Person; found: Found }
  /** `error` is null when the visitor has cancelled. */
  | { type: 'failed'; person: Person; error: unknown }
  /** A search cannot be repeated, for this reason: its results are gone. */
  | { type: 'over'; person: Person; why: string }
  | { type: 'session ended' }
  | { type: 'answered'; answer: Answer }
  | { type: 'answer taken back' }
  /** `keepsSelfies`: the visitor adds one to them. */
  | { type: 'starting over'; keepsSelfies: boolean }
  | { type: 'to remember' }
  /** This browser has kept what finds the visitor, or has forgotten it. */
  | { type: 'remembered'; remembered: Remembered | null }

const IDLE = { step: 'idle' } as const

export const entered = (remembered: Remembered | null): SearchState => ({
  now: IDLE,
  selfies: [],
  found: null,
  search: 0,
  remembered,
})

export function reduce(state: SearchState, event: SearchEvent): SearchState {
  const { now, found, search, remembered } = state
  // An answer to a search that the visitor has left changes nothing.
  const isAwaited = 'person' in event && 'person' in now && now.person === event.person
  const isRenewal = now.step === 'renewing'
  switch (event.type) {
    case 'selfies chosen':
      return { ...state, selfies: event.selfies, now: now.step === 'failed' ? IDLE : now }
    case 'begun':
      return { ...state, now: { step: 'searching', person: event.person, wait: null } }
    case 'renewing':
      return { ...state, now: { step: 'renewing', person: event.person } }
    case 'waiting':
      return isAwaited && now.step === 'searching' ? { ...state, now: { ...now, wait: event.wait } } : state
    case 'found':
      if (!isAwaited) return state
      if (isRenewal) return { ...state, now: IDLE, found: renewed(found!, event.found) }
      return { ...state, now: IDLE, found: event.found, search: search + 1 }
    case 'failed':
      if (!isAwaited) return state
      if (isRenewal) return { ...state, now: IDLE, found: notRenewed(found!, event.person) }
      return { ...state, now: { step: 'failed', person: event.person, error: event.error } }
    case 'over': {
      if (!isAwaited) return state
      const kept = event.person.isRemembered ? null : remembered
      return { ...entered(kept), search, selfies: state.selfies, now: { step: 'idle', over: event.why } }
    }
    case 'session ended': {
      const person = found && withoutTokens(found.person)
      return { ...state, now: IDLE, found: person && { ...found, person, asked: person.answers } }
    }
    case 'answered':
      return { ...state, found: found && withAnswer(found, event.answer) }
    case 'answer taken back': {
      const last = found?.person.answers.at(-1)
      return last ? { ...state, found: withoutAnswer(found!, last) } : state
    }
    case 'starting over':
      return { ...entered(remembered), search, selfies: event.keepsSelfies ? state.selfies : [] }
    case 'to remember':
      return { ...state, found: found && withRemembering(found, true) }
    case 'remembered': {
      const next = { ...state, remembered: event.remembered }
      return found && !event.remembered ? { ...next, found: withRemembering(found, false) } : next
    }
  }
}

/** Whether the visitor waits for a search. */
export const isSearching = ({ now }: SearchState) => now.step === 'searching'

/** Whether a search for what follows from the visitor's answers is due or under way. */
export const isFollowingUp = ({ found }: SearchState): boolean => found !== null && isOutdated(found)
