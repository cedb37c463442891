import { expect, test } from 'vitest'
import { createKeyring } from '../keyring.ts'
import {
  isSearchTicket,
  openSearch,
  sealSearch,
  searchEnded,
  searchOfFormerPassword,
  searchUnknown,
} from './search-ticket.ts'
import { sealTicket, ticketEnd } from './tickets.ts'

const HOUR = 3_600_000
const ASKED = { album: { id: 'album-1', password_version: 3 }, sessionId: 'session-1' }
const keyring = createKeyring(['secret'])
const TICKET = { evidence: { embedded: Buffer.from([0, 200, 255, 10]) }, selfies: 2 }
const sealed = sealSearch(keyring, ASKED, TICKET)

test('a search ticket gives back what was sealed, in a text that fits into a form and shows nothing', () => {
  expect(openSearch(keyring, ASKED, sealed)).toEqual(TICKET)
  expect(sealed).toMatch(/^[\w-]+$/)
  expect(Buffer.from(sealed, 'base64url').includes('embedded')).toBe(false)
})

test('it ends after an hour', () => {
  const now = Date.now()
  const ticket = sealSearch(keyring, ASKED, TICKET, now)
  expect(openSearch(keyring, ASKED, ticket, now + HOUR - 1)).toEqual(TICKET)
  expect(() => openSearch(keyring, ASKED, ticket, now + HOUR)).toThrow(searchEnded())
})

test("it ends with the password, and says so, unless the session is the owner's", () => {
  const changed = { ...ASKED, album: { id: 'album-1', password_version: 4 } }
  expect(() => openSearch(keyring, changed, sealed)).toThrow(searchOfFormerPassword())
  const ofOwner = sealSearch(keyring, { ...ASKED, isOwner: true }, TICKET)
  expect(openSearch(keyring, { ...changed, isOwner: true }, ofOwner)).toEqual(TICKET)
})

test('it is of no use to another session, in another album, without its key, or when it was changed', () => {
  const others = [
    { ...ASKED, sessionId: 'session-2' },
    { ...ASKED, album: { ...ASKED.album, id: 'album-2' } },
  ]
  for (const other of others) expect(() => openSearch(keyring, other, sealed)).toThrow(searchUnknown())
  expect(() => openSearch(createKeyring(['new']), ASKED, sealed)).toThrow(searchUnknown())
  const changed = Buffer.from(sealed, 'base64url')
  changed[20] = changed[20]! ^ 1
  for (const text of [changed.toString('base64url'), 'AgAA', sealed.slice(0, -4)])
    expect(() => openSearch(keyring, ASKED, text), text).toThrow(searchUnknown())
})

test('it is not taken for a ticket that remembers a person', () => {
  const person = { templates: TICKET.evidence, confirmed: [], rejected: [] }
  const remembered = sealTicket(keyring, ASKED.album, { person, endsAt: ticketEnd(), searchedAt: new Date() })
  expect([sealed, remembered, '', 'forged'].map(isSearchTicket)).toEqual([true, false, false, false])
})
