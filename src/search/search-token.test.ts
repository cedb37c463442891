import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKeyring } from '../keyring.ts'
import {
  isByNewSelfies,
  mergeAnswers,
  openSearch,
  type SearchToken,
  sealSearch,
  searchEnded,
  searchOfFormerPassword,
  searchUnknown,
} from './search-token.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SEARCHER = { album: { id: 'album-1', password_version: 3 }, sessionId: 'session-1' }
const keyring = createKeyring(['secret'])
const NOTHING = { confirmed: [], rejected: [] }
const SEARCH: SearchToken = {
  ...{ evidence: { engine: 'embedded' as const, bytes: Buffer.from([0, 200, 255, 10]) }, selfies: 2 },
  ...{ selfiesAt: 1, searchedAt: 2 },
  kept: { confirmed: [randomUUID(), randomUUID()], rejected: [] },
  answers: { confirmed: [], rejected: [randomUUID()] },
  asked: [randomUUID()],
}
const seal = (search = SEARCH, remember = false) => sealSearch(keyring, SEARCHER, search, remember).token
const passes = (ms: number) => vi.setSystemTime(Date.now() + ms)
afterEach(() => void vi.useRealTimers())

describe('the token of a search', () => {
  test('gives back what was sealed, for an hour', () => {
    const token = seal()
    expect(openSearch(keyring, SEARCHER, token)).toEqual(SEARCH)
    passes(HOUR - 60_000)
    expect(openSearch(keyring, SEARCHER, token)).toEqual(SEARCH)
    passes(60_000)
    expect(() => openSearch(keyring, SEARCHER, token)).toThrow(searchEnded())
  })

  test("ends with the password, and says so, unless the session is the owner's", () => {
    const changed = { ...SEARCHER, album: { id: 'album-1', password_version: 4 } }
    expect(() => openSearch(keyring, changed, seal())).toThrow(searchOfFormerPassword())
    const ofOwner = sealSearch(keyring, { ...SEARCHER, isOwner: true }, SEARCH, false).token
    expect(openSearch(keyring, changed, ofOwner)).toEqual(SEARCH)
  })

  test('is of no use to another session, in another album, or when it was changed', () => {
    const token = seal()
    for (const other of [
      { ...SEARCHER, sessionId: 'session-2' },
      { ...SEARCHER, album: { ...SEARCHER.album, id: 'album-2' } },
    ])
      expect(() => openSearch(keyring, other, token)).toThrow(searchUnknown())
    for (const text of [token.slice(0, -4), 'forged', ''])
      expect(() => openSearch(keyring, SEARCHER, text), text).toThrow(searchUnknown())
  })

  test('remembers a person for 30 days, and so does every token that is made from it, for no longer', () => {
    const { token, endsAt } = sealSearch(keyring, SEARCHER, SEARCH, true)
    expect(Math.round((endsAt.getTime() - Date.now()) / DAY)).toBe(30)
    passes(29 * DAY)
    const opened = openSearch(keyring, SEARCHER, token)
    expect(sealSearch(keyring, SEARCHER, opened, true).endsAt).toEqual(endsAt)
    const short = seal(opened)
    passes(2 * HOUR)
    expect(() => openSearch(keyring, SEARCHER, short)).toThrow(searchEnded())
    expect(openSearch(keyring, SEARCHER, token)).toEqual(opened)
    passes(DAY)
    expect(() => openSearch(keyring, SEARCHER, token)).toThrow(searchEnded())
  })

  test('shows who is asking for an hour after the selfie, however often the search is repeated', () => {
    const now = Date.now()
    expect(isByNewSelfies({ selfiesAt: now - HOUR + 60_000 })).toBe(true)
    expect(isByNewSelfies({ selfiesAt: now - HOUR })).toBe(false)
  })
})

test('the later answer about a face counts, and the oldest answers are forgotten first', () => {
  expect(
    mergeAnswers({ confirmed: ['a', 'b'], rejected: ['c', 'd'] }, { confirmed: ['c'], rejected: ['a', 'e'] }),
  ).toEqual({ confirmed: ['c', 'b'], rejected: ['a', 'e', 'd'] })
  const many = Array.from({ length: 100 }, (_, index) => `old-${index}`)
  const { confirmed } = mergeAnswers({ ...NOTHING, confirmed: many }, { confirmed: ['new'], rejected: [] })
  expect(confirmed).toHaveLength(100)
  expect(confirmed).toContain('new')
  expect(confirmed).not.toContain('old-99')
})
