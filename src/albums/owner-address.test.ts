import { beforeEach, describe, expect, test } from 'vitest'
import { COMMAND_LINE, eventsOfAlbum } from '../audit/audit-log.ts'
import { OWNER_KEY } from '../contract/albums/owner-link.ts'
import { AppError } from '../errors.ts'
import { forgetCalls } from '../jobs/retention.ts'
import { letterLinks } from '../letters/links.ts'
import type { Letter } from '../mail/mailer.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import {
  emptyMailbox,
  mailbox,
  mailDeps,
  passHours,
  recordSentLetter,
  sendLetters,
} from '../testing/mailbox.ts'
import { findAlbumByOwnerKey } from './access.ts'
import {
  changeOwnerAddress,
  confirmAddress,
  confirmNewAddress,
  endOwnerLetters,
  letterAddressOf,
} from './owner-address.ts'
import { findAlbum } from './queries.ts'
import { RATE_LIMITS } from './rate-limits.ts'
import { renewOwnerKey } from './renew-owner-key.ts'

newAlbumForEachTest()

const NEW = 'new@example.com'

beforeEach(async () => {
  await emptyMailbox(domain.db)
  await recordSentLetter(domain.db, album.id)
})

const present = async () => (await findAlbum(domain.db, { id: album.id }))!
const by = (address = '192.0.2.7') => ({ role: 'owner' as const, address })
const answer = (token: string) => ({ token, address: '192.0.2.7' })

/** Asks for a new address, and sends the letter. */
async function ask(email = NEW, network = '192.0.2.7') {
  const asked = await changeOwnerAddress(domain, await present(), email, by(network))
  await sendLetters(domain)
  return asked
}

/** A token whose end is another one. */
const forgedFrom = (token: string) => `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'EEEE' : 'AAAA'}`
const tokenIn = (letter: Letter) => /letter-address#(\S+)/.exec(letter.text)![1]!
async function confirm(letter: Letter) {
  const confirmed = await confirmNewAddress(domain, answer(tokenIn(letter)))
  await sendLetters(domain)
  return confirmed
}

/** Confirms the present address, as opening the album through a letter does. */
async function confirmPresent(): Promise<void> {
  const { open } = letterLinks(domain.keyring, '', await present())
  await confirmAddress(domain, answer(open.split('#letter=')[1]!))
}

describe('a new address of an album', () => {
  test('gets a letter that asks, and counts when its button is pressed', async () => {
    const asked = await ask()
    expect(asked).toEqual({
      address: 'o…@example.com',
      waiting: { address: 'n…@example.com', confirmBefore: expect.any(String) },
    })
    expect(await letterAddressOf(domain, await present())).toEqual(asked)
    const [letter] = mailbox.sent as [Letter]
    expect([letter.to, letter.subject]).toEqual([NEW, 'Please confirm your email address'])
    expect(letter.text).toMatch(/^This was not me:\nhttps:\/\/photos\.example\.com\/stop-letters#/m)
    expect(letter.stopUrl).toMatch(/\/stop-letters\?token=[\w-]+$/)
    expect((await present()).email).toBe('owner@example.com')

    expect(await confirm(letter)).toMatchObject({ albumName: album.slug })
    expect(await present()).toMatchObject({ email: NEW, address_confirmed_at: expect.any(Date) })
    await confirm(letter)
    expect(await letterAddressOf(domain, await present())).toEqual({
      address: 'n…@example.com',
      waiting: null,
    })
    const events = await eventsOfAlbum(domain, album.slug)
    expect(events.filter(({ event }) => event === 'letter address changed')).toHaveLength(1)
  })

  test('is stored encrypted, and forgotten when nobody confirms it within a day', async () => {
    await ask()
    const stored = async () =>
      (await domain.db.selectFrom('letters').selectAll().where('kind', '=', 'confirm-address').execute())[0]!
    expect(JSON.stringify(await stored())).not.toContain(NEW)
    expect((await stored()).recipient!.toString('latin1')).not.toContain(NEW)
    await passHours(domain.db, 25)
    await expect(confirm(mailbox.sent[0]!)).rejects.toMatchObject({ code: 'CONFLICT' })
    await forgetCalls.run(mailDeps(domain), {}, { attempt: 1 })
    expect((await stored()).recipient).toBeNull()
    expect((await present()).email).toBe('owner@example.com')
  })

  test('is replaced by another one, so that a mistyped one never counts', async () => {
    await ask('mistyped@example.com')
    await ask()
    await expect(confirm(mailbox.sent[0]!)).rejects.toThrow('This link has ended')
    await confirm(mailbox.sent[1]!)
    expect((await present()).email).toBe(NEW)
  })

  test('counts no more after a new owner key, and a former owner cannot ask for one', async () => {
    await ask()
    const before = await present()
    await renewOwnerKey(domain, before, COMMAND_LINE)
    await expect(confirm(mailbox.sent[0]!)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(changeOwnerAddress(domain, before, NEW, by())).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect((await present()).email).toBe('owner@example.com')
  })

  test('is not confirmed by a forged link, and wrong links are counted', async () => {
    await ask()
    const limits = { ...RATE_LIMITS, wrongSecret: { ...RATE_LIMITS.wrongSecret, calls: 3 } }
    const token = tokenIn(mailbox.sent[0]!)
    const confirmWith = (tried: string) => confirmNewAddress({ ...domain, limits }, answer(tried))
    for (const forged of ['x', 'A'.repeat(43), forgedFrom(token)])
      await expect(confirmWith(forged)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(confirmWith(forgedFrom(token))).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    })
    await confirmWith(token)
    expect((await present()).email).toBe(NEW)
  })

  test('gets no letter when it was refused, and the owner does not learn that', async () => {
    const first = await ask()
    const token = /stop-letters#(\S+)/.exec(mailbox.sent[0]!.text)![1]!
    for (const hadEnded of [false, true])
      expect(await endOwnerLetters(domain, answer(token))).toEqual({ hadEnded })
    const again = await ask()
    expect(again.address).toEqual(first.address)
    expect(again.waiting!.address).toEqual(first.waiting!.address)
    expect(mailbox.sent).toHaveLength(1)
  })

  test('is asked three times a day by one network, and five times for one album', async () => {
    const tooMany = { code: 'TOO_MANY_REQUESTS', retryAfter: expect.any(Number) }
    for (let times = 0; times < 3; times++) await ask()
    await expect(ask()).rejects.toMatchObject(tooMany)
    await ask('another@example.com')
    await expect(ask('a.third@example.com')).rejects.toMatchObject(tooMany)
    await expect(ask('a.third@example.com', '192.0.2.8')).rejects.toMatchObject(tooMany)
    expect(mailbox.sent).toHaveLength(4)
  })

  test('gets the letter that waited for the former address to be confirmed', async () => {
    const dueAt = new Date(Date.now() + 3_600_000)
    await domain.db
      .insertInto('letters')
      .values({ album_id: album.id, kind: 'ready', due_at: dueAt })
      .execute()
    await domain.db.updateTable('albums').set({ photos_stored: 1 }).where('id', '=', album.id).execute()
    await ask()
    await confirm(mailbox.sent[0]!)
    expect(mailbox.sent.map(({ to, subject }) => [to, subject])).toEqual([
      [NEW, 'Please confirm your email address'],
      [NEW, 'Your album is ready: Party'],
    ])
  })
})

describe('while the album has sent no letter', () => {
  beforeEach(() => domain.db.deleteFrom('letters').execute())

  test('a new address takes the place of the mistyped one at once, and is not confirmed', async () => {
    expect(await ask()).toEqual({ address: 'n…@example.com', waiting: null })
    expect(await present()).toMatchObject({ email: NEW, address_confirmed_at: null })
    expect(mailbox.sent).toEqual([])
    const events = await eventsOfAlbum(domain, album.slug)
    expect(events.filter(({ event }) => event === 'letter address changed')).toHaveLength(1)
  })

  test('a confirmed address is not replaced at once', async () => {
    await confirmPresent()
    expect((await ask()).waiting).not.toBeNull()
    expect((await present()).email).toBe('owner@example.com')
  })
})

describe('the private link of a letter', () => {
  const key = async () => letterLinks(domain.keyring, '', await present()).owner.split(`#${OWNER_KEY}=`)[1]!
  const opens = async (ownerKey: string) => (await findAlbumByOwnerKey(domain, ownerKey))?.id

  test('opens the album only while its address is confirmed', async () => {
    const owner = await key()
    expect(await opens(owner)).toBeUndefined()
    await confirmPresent()
    expect(await opens(owner)).toBe(album.id)
    const { open } = letterLinks(domain.keyring, '', await present())
    expect(await opens(open.split('#letter=')[1]!)).toBeUndefined()
    expect(await opens(forgedFrom(owner))).toBeUndefined()
  })

  test.each([
    ['a new owner key', async () => void (await renewOwnerKey(domain, await present(), COMMAND_LINE))],
    [
      'another address',
      async () => {
        await ask()
        await confirm(mailbox.sent[0]!)
      },
    ],
    [
      '"This was not me"',
      async () => {
        const { stop } = letterLinks(domain.keyring, '', await present())
        await endOwnerLetters(domain, answer(stop.split('#')[1]!))
      },
    ],
  ])('ends with %s', async (_what, end) => {
    await confirmPresent()
    const owner = await key()
    await end()
    expect(await opens(owner)).toBeUndefined()
  })
})

describe('the former address', () => {
  const notices = () => mailbox.sent.filter(({ to }) => to === 'owner@example.com')

  test('gets a notice without the new one, if it was confirmed', async () => {
    await confirmPresent()
    await ask()
    expect(notices()).toEqual([])
    await confirm(mailbox.sent[0]!)
    await confirm(mailbox.sent[0]!)
    const [notice, ...others] = notices()
    expect(others).toEqual([])
    expect(notice!.subject).toBe('Letters about your photo album go to another address')
    expect(notice!.text).toContain('The name of the album is "Party".')
    expect(JSON.stringify(notice)).not.toContain('new@')
    const rows = await domain.db.selectFrom('letters').select('recipient').execute()
    expect(rows.filter(({ recipient }) => recipient !== null)).toEqual([])
  })

  test('gets none if it was not confirmed: nobody knows whose it is', async () => {
    await ask()
    await confirm(mailbox.sent[0]!)
    expect(notices()).toEqual([])
  })

  test('gets no notice after a new owner key for somebody else', async () => {
    await confirmPresent()
    await ask()
    mailbox.send = () =>
      Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'The mail server does not answer'))
    await expect(confirm(mailbox.sent[0]!)).rejects.toThrow('does not answer')
    await renewOwnerKey(domain, await present(), COMMAND_LINE, { email: 'heir@example.com' })
    mailbox.send = async (letter) => void mailbox.sent.push(letter)
    await sendLetters(domain)
    expect(notices()).toEqual([])
    expect(await present()).toMatchObject({ email: 'heir@example.com', address_confirmed_at: null })
  })
})
