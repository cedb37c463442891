import { expect, test } from 'vitest'
import { ticketRefused } from '../faces/errors.ts'
import { createKeyring } from '../keyring.ts'
import { mergeAnswers, openTicket, sealTicket, type Ticket, ticketEnd } from './tickets.ts'

const ALBUM = { id: 'album-1', password_version: 3 }
const DAY = 86_400_000
const keyring = createKeyring(['secret'])
const TICKET: Ticket = {
  person: {
    templates: { embedded: Buffer.from([0, 200, 255, 10]) },
    confirmed: ['face-1', 'face-2'],
    rejected: ['face-3'],
  },
  endsAt: ticketEnd(),
  searchedAt: new Date(),
}
const sealed = sealTicket(keyring, ALBUM, TICKET)

test('a ticket gives back what was sealed, in a text that fits into a form and shows nothing', () => {
  expect(openTicket(keyring, ALBUM, sealed)).toEqual(TICKET)
  expect(sealed).toMatch(/^[\w-]+$/)
  expect(Buffer.from(sealed, 'base64url').includes('face-1')).toBe(false)
  expect(sealTicket(keyring, ALBUM, TICKET)).not.toBe(sealed)
})

test('a ticket is refused for another album and after a password change', () => {
  for (const other of [
    { ...ALBUM, id: 'album-2' },
    { ...ALBUM, password_version: 4 },
  ])
    expect(() => openTicket(keyring, other, sealed)).toThrow(ticketRefused())
})

test('a ticket ends after 30 days', () => {
  const end = TICKET.endsAt.getTime()
  expect(Math.round((end - Date.now()) / DAY)).toBe(30)
  expect(openTicket(keyring, ALBUM, sealed, end - 1)).toEqual(TICKET)
  expect(() => openTicket(keyring, ALBUM, sealed, end)).toThrow(ticketRefused())
})

test('a changed, cut or invented ticket is refused', () => {
  const bytes = Buffer.from(sealed, 'base64url')
  for (const at of [0, 1, 13, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at] = changed[at]! ^ 1
    expect(() => openTicket(keyring, ALBUM, changed.toString('base64url')), `byte ${at}`).toThrow(
      ticketRefused(),
    )
  }
  for (const text of ['', 'AQ', 'nonsense', sealed.slice(0, -4), '🎉'])
    expect(() => openTicket(keyring, ALBUM, text), text).toThrow(ticketRefused())
})

test('what was sealed for another purpose is no ticket', () => {
  const cipher = keyring.encrypt('mail-token', '{"endsAt":9e15}', '1 album-1 3')
  const forged = Buffer.concat([Buffer.of(1), cipher]).toString('base64url')
  expect(() => openTicket(keyring, ALBUM, forged)).toThrow(ticketRefused())
})

test('the later answer about a face counts, and the oldest answers are forgotten first', () => {
  expect(
    mergeAnswers({ confirmed: ['a', 'b'], rejected: ['c', 'd'] }, { confirmed: ['c'], rejected: ['a', 'e'] }),
  ).toEqual({ confirmed: ['c', 'b'], rejected: ['a', 'e', 'd'] })
  const many = Array.from({ length: 100 }, (_, index) => `old-${index}`)
  const { confirmed } = mergeAnswers({ confirmed: many, rejected: [] }, { confirmed: ['new'], rejected: [] })
  expect(confirmed).toHaveLength(100)
  expect(confirmed).toContain('new')
  expect(confirmed).not.toContain('old-99')
})
