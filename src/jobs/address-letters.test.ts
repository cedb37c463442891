import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { findAlbumByOwnerKey } from '../albums/access.ts'
import {
  changeLetterAddress,
  confirmLetterAddress,
  letterAddressOf,
} from '../albums/change-letter-address.ts'
import { confirmAddress, endLetters } from '../albums/letter-answers.ts'
import { letterLinks } from '../albums/letter-links.ts'
import { lettersOfAlbum } from '../albums/letter-queries.ts'
import { findAlbum } from '../albums/queries.ts'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { renewOwnerKey } from '../albums/renew-owner-key.ts'
import { COMMAND_LINE, eventsOfAlbum } from '../audit/audit-log.ts'
import { OWNER_KEY } from '../contract/owner-link.ts'
import { AppError } from '../errors.ts'
import type { Letter, Mailer } from '../mail/mailer.ts'
import { queues } from '../queues/queues.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import { confirmNewAddress } from './confirm-new-address.ts'
import type { JobDeps } from './define-handler.ts'
import { forgetCalls } from './forget-calls.ts'
import { tellFormerAddress } from './tell-former-address.ts'

newAlbumForEachTest()

const NEW = 'new@example.com'
let sent: Letter[] = []
let send: Mailer['send']

beforeEach(async () => {
  sent = []
  send = async (letter) => void sent.push(letter)
  for (const table of ['address_changes', 'unconfirmed_letters', 'refused_addresses', 'rate_limits'] as const)
    await domain.db.deleteFrom(table).execute()
  for (const queue of [queues.confirmNewAddress, queues.tellFormerAddress])
    await domain.jobs.dropWaiting(queue)
  await sendFirstLetter()
})

/** A letter about the album was sent. */
async function sendFirstLetter(): Promise<void> {
  const now = new Date()
  await domain.db
    .insertInto('upload_rounds')
    .values({
      album_id: album.id,
      total: null,
      closed_at: now,
      completed_at: now,
      photos_added: 1,
      letter_begun_at: now,
      letter_sent_at: now,
    })
    .execute()
}

const deps = (): JobDeps => {
  const mailer: Mailer = { send: (letter) => send(letter), check: async () => {}, close: async () => {} }
  const own = { mailer, siteUrl: 'https://photos.example.com' }
  return { ...domain, ...own } as Partial<JobDeps> as JobDeps
}
const callDeps = () => ({ ...domain, limits: RATE_LIMITS })
const present = async () => (await findAlbum(domain.db, { id: album.id }))!
const by = (address = '192.0.2.7') => ({ role: 'owner' as const, address })
const answer = (token: string) => ({ token, address: '192.0.2.7' })

async function runJobs(): Promise<void> {
  for (const handler of [confirmNewAddress, tellFormerAddress]) {
    const jobs = await domain.waiting(handler.queue.name)
    for (const payload of jobs) await handler.run(deps(), payload, { attempt: 1 })
    await domain.jobs.dropWaiting(handler.queue)
  }
}

/** Asks for a new address, and sends the letter. */
async function ask(email = NEW, network = '192.0.2.7') {
  const asked = await changeLetterAddress(callDeps(), await present(), email, by(network))
  await runJobs()
  return asked
}

/** A token for the same id whose signature is another one. */
const forgedFrom = (token: string) => `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'EEEE' : 'AAAA'}`
const tokenIn = (letter: Letter) => /letter-address#(\S+)/.exec(letter.text)![1]!
async function confirm(letter: Letter) {
  const confirmed = await confirmLetterAddress(callDeps(), answer(tokenIn(letter)))
  await runJobs()
  return confirmed
}

/** Confirms the present address, as opening the album through a letter does. */
async function confirmPresent(): Promise<void> {
  const { open } = letterLinks(domain.keyring, '', await present())
  await confirmAddress(callDeps(), answer(open.split('#letter=')[1]!))
}

const pass = (hours: number) =>
  sql`update address_changes set created_at = created_at - make_interval(hours => ${hours}::integer)`.execute(
    domain.db,
  )

describe('a new address of an album', () => {
  test('gets a letter that asks, with nothing that the owner wrote but a harmless name, and counts when its button is pressed', async () => {
    await domain.db
      .updateTable('albums')
      .set({ display_name: 'Win at https://evil.example !' })
      .where('id', '=', album.id)
      .execute()
    const asked = await ask()
    expect(asked).toEqual({
      address: 'o…@example.com',
      waiting: { address: 'n…@example.com', confirmBefore: expect.any(String) },
    })
    expect(await letterAddressOf(domain, await present())).toEqual(asked)
    const [letter] = sent as [Letter]
    expect([letter.to, letter.subject]).toEqual([NEW, 'Please confirm your email address'])
    expect(letter.text).toMatch(/^This was not me: https:\/\/photos\.example\.com\/stop-letters#/m)
    expect(letter.stopUrl).toMatch(/\/stop-letters\?token=[\w-]{86}$/)
    expect(letter.text + letter.html).not.toContain('evil.example')
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
    const stored = () => domain.db.selectFrom('address_changes').selectAll().execute()
    expect(JSON.stringify(await stored())).not.toContain(NEW)
    expect((await stored())[0]!.new_address!.toString('latin1')).not.toContain(NEW)
    await pass(25)
    await expect(confirm(sent[0]!)).rejects.toMatchObject({ code: 'CONFLICT' })
    await forgetCalls.run(deps(), {}, { attempt: 1 })
    expect((await stored()).map(({ new_address }) => new_address)).toEqual([null])
    expect((await present()).email).toBe('owner@example.com')
  })

  test('is replaced by another one, so that a mistyped one never counts', async () => {
    await ask('mistyped@example.com')
    await ask()
    await expect(confirm(sent[0]!)).rejects.toThrow('This link has ended')
    await confirm(sent[1]!)
    expect((await present()).email).toBe(NEW)
  })

  test('counts no more after a new owner key, and a former owner cannot ask for one', async () => {
    await ask()
    const before = await present()
    await renewOwnerKey(domain, before, COMMAND_LINE)
    await expect(confirm(sent[0]!)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(changeLetterAddress(callDeps(), before, NEW, by())).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect((await present()).email).toBe('owner@example.com')
  })

  test('is not confirmed by a forged link, and wrong links are counted', async () => {
    await ask()
    const limits = { ...RATE_LIMITS, wrongSecret: { ...RATE_LIMITS.wrongSecret, calls: 3 } }
    const token = tokenIn(sent[0]!)
    const confirmWith = (tried: string) => confirmLetterAddress({ ...domain, limits }, answer(tried))
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
    const token = /stop-letters#(\S+)/.exec(sent[0]!.text)![1]!
    for (const hadEnded of [false, true])
      expect(await endLetters(callDeps(), answer(token))).toEqual({ hadEnded })
    const again = await ask()
    expect(again.address).toEqual(first.address)
    expect(again.waiting!.address).toEqual(first.waiting!.address)
    expect(sent).toHaveLength(1)
    expect((await present()).letters_ended_at).toBeNull()
  })

  test('is asked three times a day by one network, and five times for one album', async () => {
    const tooMany = { code: 'TOO_MANY_REQUESTS', retryAfter: expect.any(Number) }
    for (let times = 0; times < 3; times++) await ask()
    await expect(ask()).rejects.toMatchObject(tooMany)
    await ask('another@example.com')
    await expect(ask('a.third@example.com')).rejects.toMatchObject(tooMany)
    await expect(ask('a.third@example.com', '192.0.2.8')).rejects.toMatchObject(tooMany)
    expect(sent).toHaveLength(4)
  })

  test('gets the letter that waited for the former address to be confirmed', async () => {
    const { id } = await domain.db
      .insertInto('upload_rounds')
      .values({
        album_id: album.id,
        total: null,
        closed_at: new Date(),
        completed_at: new Date(),
        photos_added: 1,
        letter_due_at: new Date(Date.now() + 3_600_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await ask()
    await confirm(sent[0]!)
    expect(await domain.waiting(queues.sendLetter.name)).toContainEqual({ roundId: id })
  })
})

describe('while the album has sent no letter', () => {
  beforeEach(() => domain.db.deleteFrom('upload_rounds').where('album_id', '=', album.id).execute())

  test('a new address takes the place of the mistyped one at once, and is not confirmed', async () => {
    expect(await ask()).toEqual({ address: 'n…@example.com', waiting: null })
    expect(await present()).toMatchObject({ email: NEW, address_confirmed_at: null })
    expect(sent).toEqual([])
    const events = await eventsOfAlbum(domain, album.slug)
    expect(events.filter(({ event }) => event === 'letter address changed')).toHaveLength(1)
  })

  test('a former owner corrects nothing, and a confirmed address is not replaced at once', async () => {
    const before = await present()
    await confirmPresent()
    expect((await ask()).waiting).not.toBeNull()
    await renewOwnerKey(domain, before, COMMAND_LINE)
    await expect(changeLetterAddress(callDeps(), before, NEW, by())).rejects.toMatchObject({
      code: 'CONFLICT',
    })
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
        await confirm(sent[0]!)
      },
    ],
    [
      '"This was not me"',
      async () => {
        const { stop } = letterLinks(domain.keyring, '', await present())
        await endLetters(callDeps(), answer(stop.split('#')[1]!))
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
  const notices = () => sent.filter(({ to }) => to === 'owner@example.com')

  test('gets a notice without the new one, if it was confirmed', async () => {
    await confirmPresent()
    await ask()
    expect(notices()).toEqual([])
    await confirm(sent[0]!)
    await confirm(sent[0]!)
    const [notice, ...others] = notices()
    expect(others).toEqual([])
    expect(notice!.subject).toBe('Letters about your photo album go to another address')
    expect(notice!.text).toContain('The name of the album is "Party".')
    expect(JSON.stringify(notice)).not.toContain('new@')
    const rows = await domain.db.selectFrom('address_changes').selectAll().execute()
    expect(rows.map(({ former_address }) => former_address).filter(Boolean)).toEqual([])
  })

  test('gets none if it was not confirmed: nobody knows whose it is', async () => {
    await ask()
    await confirm(sent[0]!)
    expect(notices()).toEqual([])
  })

  test('gets no notice after a new owner key for somebody else', async () => {
    await confirmPresent()
    await ask()
    send = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'The mail server does not answer'))
    await expect(confirm(sent[0]!)).rejects.toThrow('does not answer')
    await renewOwnerKey(domain, await present(), COMMAND_LINE, { email: 'heir@example.com' })
    send = async (letter) => void sent.push(letter)
    await runJobs()
    expect(notices()).toEqual([])
    expect(await present()).toMatchObject({ email: 'heir@example.com', address_confirmed_at: null })
  })
})

test('the letters of changes are among those that an erasure removes', async () => {
  await confirmPresent()
  await ask()
  await confirm(sent[0]!)
  const letters = await domain.db.transaction().execute((trx) => lettersOfAlbum(trx, album.id))
  expect(letters).toEqual(expect.arrayContaining(sent.map(({ id }) => id)))
  expect(sent).toHaveLength(2)
})
