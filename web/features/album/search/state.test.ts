import { describe, expect, test } from 'vitest'
import { photo } from '../../../testing/found-photo.ts'
import { type Found, foundBy } from './found.ts'
import { type Person, personRemembered } from './person.ts'
import { entered, isFollowingUp, isSearching, reduce, type SearchEvent, type SearchState } from './state.ts'

const selfie = new File(['a'], 'a.jpg')
const PERSON: Person = { selfies: [selfie], faces: [0], seen: [], answers: [] }
const WAIT = { reason: 'many_searches' as const, seconds: 5 }
const REMEMBERED = { searchToken: 'long', endsAt: '2099-01-01T00:00:00.000Z', photoIds: ['a'] }

/** What a search of this person finds. */
function found(person: Person, photos: string[], possible: string[] = [], at = 1): Found {
  const output = {
    ...{ matchedPhotos: [], photos: photos.map(photo), possible: possible.map(photo) },
    ...{ totalMatches: photos.length, selfies: [], searchToken: 'token' },
  }
  return foundBy(person, output, { at, among: 10 })
}

const stateAfter = (events: SearchEvent[], from: SearchState = entered(null)) => events.reduce(reduce, from)
/** A search by a selfie has found this. */
const searched = (photos: string[], possible: string[] = []) =>
  stateAfter([
    { type: 'selfies chosen', selfies: [selfie] },
    { type: 'begun', person: PERSON },
    { type: 'found', person: PERSON, found: found(PERSON, photos, possible) },
  ])
/** The same search again. */
const again = ({ found: former }: SearchState, photos: string[], possible: string[] = []) =>
  found(former!.person, photos, possible, 2)
/** This search begins to be repeated in the background. */
const renewing = (state: SearchState) => reduce(state, { type: 'renewing', person: state.found!.person })
const yes = (name: string): SearchEvent => ({ type: 'answered', answer: { photo: photo(name), isMe: true } })
const names = ({ found: now }: SearchState) => now?.photos.map(({ filename }) => filename[0]).join('')

describe('a search', () => {
  test('waits for room, goes on by itself, and keeps what was found before until it has succeeded', () => {
    const person = { ...PERSON }
    const waits = stateAfter(
      [
        { type: 'begun', person },
        { type: 'waiting', person, wait: WAIT },
      ],
      searched(['a']),
    )
    expect(waits.now).toEqual({ step: 'searching', person, wait: WAIT })
    expect(names(waits)).toBe('a')
    const goesOn = reduce(waits, { type: 'waiting', person, wait: null })
    expect(goesOn.now).toEqual({ step: 'searching', person, wait: null })
    expect(names(reduce(goesOn, { type: 'found', person, found: found(person, ['b']) }))).toBe('b')
  })

  test('that has failed, or was cancelled, keeps the selfies; other selfies take the failure away', () => {
    const chosen = stateAfter([
      { type: 'selfies chosen', selfies: [selfie] },
      { type: 'begun', person: PERSON },
    ])
    for (const error of [new Error('The face is too small'), null]) {
      const failed = reduce(chosen, { type: 'failed', person: PERSON, error })
      expect(failed).toMatchObject({ now: { step: 'failed', error }, selfies: [selfie] })
      expect(isSearching(failed)).toBe(false)
      expect(reduce(failed, { type: 'selfies chosen', selfies: [] }).now.step).toBe('idle')
    }
  })

  test('whose answer comes when the visitor has started over changes nothing', () => {
    const left = stateAfter([
      { type: 'begun', person: PERSON },
      { type: 'starting over', keepsSelfies: false },
    ])
    const late: SearchEvent[] = [
      { type: 'found', person: PERSON, found: found(PERSON, ['a']) },
      { type: 'failed', person: PERSON, error: null },
      { type: 'waiting', person: PERSON, wait: WAIT },
    ]
    for (const event of late) expect(reduce(left, event)).toBe(left)
  })

  test('with one more selfie begins with those that were chosen', () => {
    const adding = reduce(searched(['a']), { type: 'starting over', keepsSelfies: true })
    expect(adding).toMatchObject({ now: { step: 'idle' }, found: null, selfies: [selfie], search: 1 })
  })
})

describe('answers', () => {
  test('lead from the questions to photos and back', () => {
    const asked = searched([], ['x', 'y'])
    const answered = reduce(asked, yes('x'))
    expect([names(answered), isFollowingUp(answered)]).toEqual(['x', true])
    const back = reduce(answered, { type: 'answer taken back' })
    expect(names(back)).toBe('')
    expect(isFollowingUp(back)).toBe(false)
    expect(reduce(asked, { type: 'answer taken back' })).toBe(asked)
  })

  test('are followed up once: when that fails, the next one tries again', () => {
    const answered = renewing(reduce(searched(['a'], ['x', 'y']), yes('x')))
    expect(isFollowingUp(answered)).toBe(true)
    const { person } = answered.found!
    const event = { type: 'failed', person, error: new Error('No answer') } as const
    const failed = reduce(answered, event)
    expect([names(failed), isFollowingUp(failed)]).toEqual(['ax', false])
    expect(isFollowingUp(reduce(failed, yes('y')))).toBe(true)
    // The second answer was given while the search for the first one ran.
    const quick = stateAfter([yes('y'), event], answered)
    expect(isFollowingUp(quick)).toBe(true)
  })
})

describe('a renewal', () => {
  const shown = renewing(searched(['a', 'b']))
  const { person } = shown.found!

  test('changes the photos where they are, and the page stays as it is', () => {
    const now = reduce(shown, { type: 'found', person, found: again(shown, ['b', 'a', 'c']) })
    expect([now.now.step, now.search, names(now)]).toEqual(['idle', shown.search, 'abc'])
  })

  test('that fails, or is over, when the visitor has begun another search changes nothing', () => {
    const begun = reduce(shown, { type: 'begun', person: { ...person } })
    const late: SearchEvent[] = [
      { type: 'found', person, found: again(shown, ['c']) },
      { type: 'failed', person, error: null },
      { type: 'over', person, why: 'Your search has ended.' },
    ]
    for (const event of late) expect(reduce(begun, event)).toBe(begun)
  })
})

describe('when the session ends', () => {
  const gone: SearchEvent = { type: 'session ended' }

  test('while a search is renewed, the results stay, to be renewed with the selfies', () => {
    const busy = renewing(searched(['a']))
    const late: SearchEvent = { type: 'failed', person: busy.found!.person, error: null }
    const ended = stateAfter([gone, late], busy)
    expect(ended.now).toEqual({ step: 'idle' })
    expect(names(ended)).toBe('a')
    expect(ended.found!.person).toMatchObject({ selfies: [selfie], searchToken: undefined })
  })

  test('while the visitor searches, they find their selfies again, and may press the button again', () => {
    const begun: SearchEvent[] = [
      { type: 'selfies chosen', selfies: [selfie] },
      { type: 'begun', person: PERSON },
    ]
    const ended = stateAfter([...begun, gone, { type: 'failed', person: PERSON, error: null }])
    expect(ended).toMatchObject({ now: { step: 'idle' }, selfies: [selfie], found: null })
  })

  test('with answers that a former password has given, these are asked again', () => {
    const ended = stateAfter([yes('x'), gone], searched(['a'], ['x']))
    expect(ended.found!.person.answers).toEqual([])
    expect(isFollowingUp(ended)).toBe(false)
  })
})

describe('results that cannot be repeated', () => {
  const why = 'Your search has ended.'

  test('are gone, with the reason, until the next search', () => {
    const shown = renewing(searched(['a']))
    const over = reduce(shown, { type: 'over', person: shown.found!.person, why })
    expect(over).toMatchObject({ now: { step: 'idle', over: why }, found: null, selfies: [selfie] })
    const next = reduce(over, { type: 'begun', person: PERSON })
    expect(next.now).toMatchObject({ step: 'searching', person: PERSON })
  })

  test('of a remembered visitor: the browser remembers nobody any more', () => {
    const person = personRemembered('long')
    const events: SearchEvent[] = [
      { type: 'begun', person },
      { type: 'over', person, why },
    ]
    const over = stateAfter(events, entered(REMEMBERED))
    expect(over).toMatchObject({ now: { step: 'idle', over: why }, remembered: null })
  })
})

describe('a visitor who wants to be remembered', () => {
  const asks = renewing(reduce(searched(['a']), { type: 'to remember' }))
  const { person } = asks.found!

  test('is not, when the search for it fails', () => {
    expect(isFollowingUp(asks)).toBe(true)
    const failed = reduce(asks, { type: 'failed', person, error: new Error('No answer') })
    expect(failed.found!.person.isToRemember).toBe(false)
    expect([names(failed), isFollowingUp(failed)]).toEqual(['a', false])
  })

  test('is not, when the search for it gives nothing to keep', () => {
    const event: SearchEvent = { type: 'found', person, found: found(person, ['a'], [], 2) }
    expect(isFollowingUp(reduce(asks, event))).toBe(false)
  })

  test('is, until they ask to be forgotten, which takes the photos away, too', () => {
    const kept = reduce(asks, { type: 'remembered', remembered: REMEMBERED })
    expect(kept.remembered).toEqual(REMEMBERED)
    expect(isFollowingUp(reduce(kept, { type: 'remembered', remembered: null }))).toBe(false)
    const after = stateAfter(
      [
        { type: 'remembered', remembered: null },
        { type: 'starting over', keepsSelfies: false },
      ],
      kept,
    )
    expect(after).toMatchObject({ now: { step: 'idle' }, found: null, remembered: null, selfies: [] })
  })
})
