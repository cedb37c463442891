import { describe, expect, test } from 'vitest'
import type { SearchOutput } from '../../../../src/contract/search.ts'
import { photo } from '../../../testing/found-photo.ts'
import {
  type Found,
  foundBy,
  isOutdated,
  keptOf,
  notRenewed,
  renewed,
  withAnswer,
  withoutAnswer,
  withRemembering,
} from './found.ts'
import {
  type Answer,
  facesAnswered,
  type Person,
  personOf,
  personOfFace,
  personOfKept,
  personRemembered,
  withoutTokens,
} from './person.ts'

interface Result {
  photos: string[]
  possible?: string[]
}

function output({ photos, possible = [] }: Result, issue = 1): SearchOutput {
  return {
    matchedPhotos: [],
    photos: photos.map((name) => photo(name, issue)),
    totalMatches: photos.length,
    possible: possible.map((name) => photo(name, issue)),
    selfies: [],
  }
}

const selfie = new File(['a'], 'a.jpg')
const NOBODY_ASKED: Person = { selfies: [selfie], faces: [0], seen: [], answers: [] }

const found = (result: Result, person = NOBODY_ASKED, issue = 1) =>
  foundBy(person, output(result, issue), { at: issue, among: 10 })
/** The same search again, with the answers that were given until then. */
const again = (former: Found, result: Result) => found(result, former.person, 2)
const yes = (name: string): Answer => ({ photo: photo(name), isMe: true })
const no = (name: string): Answer => ({ photo: photo(name), isMe: false })
const names = (photos: readonly { filename: string }[]) => photos.map(({ filename }) => filename[0]).join('')
const seen = ({ photos, possible }: Found) => [names(photos), names(possible)]

describe('selfies that have been sent', () => {
  const seenFace = { faces: [], searched: 0, problems: [], isSomebodyElse: false }
  const sent = (person: Person, searchToken: string | undefined, selfies = 1) =>
    foundBy(
      person,
      {
        ...output({ photos: ['a'] }),
        searchToken,
        selfies: Array.from({ length: selfies }, () => seenFace),
      },
      { at: 1, among: 10 },
    )

  test('are replaced by the token of their search, also after each further one', () => {
    const first = sent(NOBODY_ASKED, 'one')
    expect(first.person).toMatchObject({ searchToken: 'one', seen: [seenFace] })
    const repeated = sent(first.person, 'two', 0)
    expect(repeated.person).toMatchObject({ searchToken: 'two', seen: [seenFace] })
  })

  test('are sent again for another face of them', () => {
    const ofFace = personOfFace(sent(NOBODY_ASKED, 'one').person, 0, 1)
    expect(ofFace).toMatchObject({ searchToken: undefined, seen: [] })
  })

  test('are sent again when their tokens have ended, and what was seen in them is known once', () => {
    const ended = withoutTokens(withAnswer(sent(NOBODY_ASKED, 'one'), yes('x')).person)
    expect(ended).toMatchObject({ searchToken: undefined, answers: [] })
    expect(sent(ended, 'two').person.seen).toEqual([seenFace])
  })

  test('are not needed after a reload: the token and the answers are', () => {
    const found = withAnswer(sent(NOBODY_ASKED, 'one'), yes('x'))
    const kept = JSON.parse(JSON.stringify(keptOf(found)))
    const person = personOfKept(kept)
    expect(person).toMatchObject({ selfies: [], searchToken: 'one', seen: [] })
    expect(facesAnswered(person.answers, true)).toEqual(['face-x'])
    expect(keptOf(sent(NOBODY_ASKED, undefined))).toBeUndefined()
  })
})

describe('an answer', () => {
  const asked = found({ photos: ['a', 'b'], possible: ['x', 'y'] })

  test.each([
    ['with yes adds the photo at once, and needs another search', yes('x'), ['abx', 'y'], true],
    ['with no removes the photo, and needs no other search', no('x'), ['ab', 'y'], false],
  ])('%s; it can be taken back', (_what, answer, now, needsSearch) => {
    const answered = withAnswer(asked, answer)
    expect(seen(answered)).toEqual(now)
    expect(isOutdated(answered)).toBe(needsSearch)
    expect(facesAnswered(answered.person.answers, answer.isMe)).toEqual(['face-x'])
    const back = withoutAnswer(answered, answer)
    expect(seen(back)).toEqual(['ab', 'xy'])
    expect(back.person.answers).toEqual([])
    expect(isOutdated(back)).toBe(false)
  })

  test('with yes that was searched with needs another search when it is taken back', () => {
    const answer = yes('x')
    const searched = again(withAnswer(asked, answer), { photos: ['a', 'b', 'x', 'c'], possible: ['y'] })
    expect(isOutdated(searched)).toBe(false)
    const back = withoutAnswer(searched, answer)
    expect(seen(back)).toEqual(['abc', 'xy'])
    expect(isOutdated(back)).toBe(true)
  })
})

describe('a repeated search', () => {
  test('gives fresh addresses, leaves the photos where they are, and puts new ones at the end', () => {
    const former = found({ photos: ['a', 'b', 'c'] })
    const now = renewed(former, again(former, { photos: ['d', 'c', 'a', 'b', 'e'] }))
    expect(seen(now)).toEqual(['abcde', ''])
    expect(now.photos.every(({ url }) => url.endsWith('?e=2'))).toBe(true)
    expect([now.added, now.at]).toEqual([2, 2])
  })

  test('does not count a confirmed photo as new', () => {
    const former = withAnswer(found({ photos: ['a'], possible: ['x', 'y'] }), yes('x'))
    const now = renewed(former, again(former, { photos: ['x', 'a', 'b'], possible: ['z'] }))
    expect(seen(now)).toEqual(['axb', 'z'])
    expect(now.added).toBe(1)
  })

  test('keeps what the visitor has said while it ran', () => {
    const first = yes('x')
    const asked = withAnswer(found({ photos: ['a'], possible: ['x', 'y', 'z'] }), first)
    const fresh = again(asked, { photos: ['a', 'x', 'b'], possible: ['y', 'z', 'q'] })
    const answered = withAnswer(withAnswer(asked, yes('y')), no('z'))
    const now = renewed(answered, fresh)
    expect(seen(now)).toEqual(['axby', 'q'])
    expect(isOutdated(now)).toBe(true)
    const takenBack = renewed(withoutAnswer(asked, first), fresh)
    expect(seen(takenBack)).toEqual(['ab', 'xyzq'])
    expect(isOutdated(takenBack)).toBe(true)
  })

  test('does not ask about a photo again', () => {
    const former = withAnswer(found({ photos: [], possible: ['x', 'y'] }), no('x'))
    expect(seen(renewed(former, again(former, { photos: [], possible: ['x', 'y'] })))).toEqual(['', 'y'])
  })
})

test('when another face is chosen, it is another person, who has answered nothing', () => {
  expect(personOf([selfie])).toEqual(NOBODY_ASKED)
  const { person } = withAnswer(found({ photos: [], possible: ['x'] }), yes('x'))
  expect(personOfFace(person, 0, 1)).toMatchObject({ ...NOBODY_ASKED, faces: [1], searchToken: undefined })
})

describe('a visitor who wants to be remembered', () => {
  const kept = { searchToken: 'sealed', searchTokenEndsAt: '2026-01-01T00:00:00.000Z', photoIds: ['a'] }
  const remembered = { searchToken: 'sealed', endsAt: '2026-01-01T00:00:00.000Z', photoIds: ['a'] }
  const back = foundBy(
    personRemembered('former'),
    { ...output({ photos: ['a'], possible: ['x'] }), ...kept },
    { at: 1, among: 10 },
  )

  test('needs another search when the browser has nothing to keep yet, and after every answer', () => {
    const plain = found({ photos: ['a'], possible: ['x'] })
    expect(isOutdated(plain)).toBe(false)
    expect(isOutdated(withRemembering(plain, true))).toBe(true)
    expect(back.remembered).toEqual(remembered)
    // Its token has the answers of this visit only when they are sent.
    expect(back.person.isOfFormerVisit).toBe(false)
    // No tab keeps what is valid for so long.
    expect(keptOf(back)).toBeUndefined()
    expect(isOutdated(back)).toBe(false)
    expect(isOutdated(withAnswer(back, no('x')))).toBe(true)
  })

  test('is not, when the answer has nothing to keep, or none comes', () => {
    const plain = withRemembering(found({ photos: ['a'] }), true)
    expect(renewed(plain, again(plain, { photos: ['a'] })).person.isToRemember).toBe(false)
    expect(notRenewed(plain, plain.person).person.isToRemember).toBe(false)
    expect(notRenewed(back, back.person).person.isToRemember).toBe(true)
  })

  test('who has pressed the button while a search ran, still is', () => {
    const plain = found({ photos: ['a'] })
    const now = renewed(withRemembering(plain, true), again(plain, { photos: ['a'] }))
    expect(isOutdated(now)).toBe(true)
  })
})
