import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAlbum } from '../albums/queries.ts'
import { renewOwnerKey } from '../albums/renew-owner-key.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { hideLinks } from '../opt-outs/owner-links.ts'
import { queues } from '../queues/queues.ts'
import { sealTicket, ticketEnd } from '../search/tickets.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, type TestClient } from '../testing/client.ts'
import { headerOf, startMailServer, type TestMailServer } from '../testing/mail-server.ts'
import { newPicture } from '../testing/new-picture.ts'
import { type StandIn, startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { waitUntil } from '../testing/wait.ts'

const VICTIM = 'victim@example.com'
const ROUNDS = 25
const FURTHER_ALBUMS = 9

let mailServer: TestMailServer
/** Finds no faces, without work. */
let rekognition: StandIn
let service: TestApp

beforeAll(async () => {
  mailServer = await startMailServer()
  rekognition = await startStandInRekognition({ recognise: async () => [] })
  const { endpoint, region, credentials } = rekognition
  service = await startTestApp({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}?tls.rejectUnauthorized=false`,
      FACES: 'rekognition',
      REKOGNITION_ENDPOINT: endpoint,
      TRUST_PROXY: 'loopback',
    },
    rekognition: { client: { region, credentials } },
  })
})
afterAll(async () => {
  await service?.close()
  await rekognition?.close()
  await mailServer?.close()
})

const attacker = (network?: string): TestClient =>
  createClient(service.url, '', network ? { 'x-forwarded-for': network } : {})

/** The bodies of the letters to an address, without the line breaks of their encoding. */
const lettersTo = (address: string): string[] =>
  mailServer.received
    .filter(({ to }) => to.includes(address))
    .map(({ message }) => message.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))

/** An album of a stranger in which they ask for letters about new photos in somebody else's name. */
async function albumForAlerts(network: string): Promise<(email: string) => Promise<number>> {
  const client = attacker(network)
  const { albumName } = await client.createAlbum('Strangers')
  const album = (await findAlbum(service.database.db, { slug: albumName }))!
  const person = { templates: {}, confirmed: [], rejected: [] }
  const ticket = sealTicket(service.context.services.keyring, album, {
    person,
    endsAt: ticketEnd(),
    searchedAt: new Date(),
  })
  return async (email) =>
    (await client.post(`/api/albums/${albumName}/alerts`, { email, ticket, consent: true })).status
}

async function albumFor(client: TestClient, email: string, albumName: string): Promise<string> {
  const { status, body } = await client.post('/api/user-albums', { email, albumName })
  expect(status).toBe(200)
  return body.userAlbum.id
}

/** Uploads one new picture as a round of its own, and waits until its job has decided about the letter. */
async function completeRound(client: TestClient, ownerKey: string): Promise<void> {
  const photo = { name: 'a.png', bytes: await newPicture() }
  await client.uploadPhotos(ownerKey, [photo], { totalIntendedPhotos: 1 })
  await waitUntil('the round to be complete', async () => {
    const { body } = await client.get(`/api/albums/${ownerKey}/progress`)
    return body.isCompleted && (await undecidedLetters()) === 0
  })
}

async function undecidedLetters(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from upload_rounds where completed_at is null)::int
      + (select count(*) from pgboss.job where name = 'send-letter' and state < 'completed' and start_after <= now())::int
      as count`.execute(service.database.db)
  return rows[0]!.count
}

test('25 rounds of one album and those of nine further albums send ten letters to an address that never asked', async () => {
  const client = attacker()
  const words = 'Your account is locked: log in at http://evil.example'
  const ownerKey = await albumFor(client, VICTIM, words)
  for (let round = 0; round < ROUNDS; round++) await completeRound(client, ownerKey)
  expect(mailServer.received).toHaveLength(3)

  for (let number = 0; number < FURTHER_ALBUMS; number++) {
    const other = attacker()
    // The same mailbox under another name.
    await completeRound(other, await albumFor(other, `Victim+${number}@example.com`, words))
  }
  expect(mailServer.received).toHaveLength(10)

  const rounds = await service.database.db
    .selectFrom('upload_rounds')
    .select('id')
    .where('completed_at', 'is not', null)
    .where('photos_added', '>', 0)
    .execute()
  expect(rounds).toHaveLength(ROUNDS + FURTHER_ALBUMS)
  for (const { message } of mailServer.received) {
    expect(headerOf(message, 'Subject')).toBe('Your photo album is ready')
    const body = message.replaceAll(/=\r?\n/g, '')
    expect(body).not.toMatch(/evil\.example/)
    expect(body).toContain('This was not me')
  }
})

test('requests in the name of a victim, from many albums and networks, send six letters and do not delay the one of their own album', async () => {
  const email = 'organiser@example.com'
  const statuses: number[] = []
  for (const network of ['198.51.100.1', '198.51.100.2', '198.51.100.3'])
    for (let album = 0; album < 2; album++) {
      const ask = await albumForAlerts(network)
      for (let times = 0; times < 3; times++) statuses.push(await ask(email))
    }
  expect(statuses.filter((status) => status === 200)).toHaveLength(6)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))

  const owner = attacker('203.0.113.7')
  await completeRound(owner, await albumFor(owner, email, 'My own party'))
  await waitUntil('all letters', async () => lettersTo(email).length === 7)
  expect(
    lettersTo(email).filter((letter) => letter.includes('Subject: Your photo album is ready')),
  ).toHaveLength(1)
})

test('a stranger on one network leaves letters for a guest who asks themselves', async () => {
  const email = 'guest@example.com'
  for (let album = 0; album < 4; album++) {
    const ask = await albumForAlerts('198.51.100.9')
    for (let times = 0; times < 3; times++) await ask(email)
  }
  const askSelf = await albumForAlerts('203.0.113.9')
  expect(await askSelf(email)).toBe(200)
})

const link = (letter: string, use: string) => new RegExp(`#${use}=([\\w-]+)`).exec(letter)![1]!

/** Lets a stranger ask twice in the name of an address, and waits for both letters. */
async function askTwice(email: string, network: string) {
  const ask = await albumForAlerts(network)
  for (let letters = 1; letters <= 2; letters++) {
    expect(await ask(email)).toBe(200)
    await waitUntil('the letter', async () => lettersTo(email).length === letters)
  }
  return { ask, letters: lettersTo(email) }
}

test('a stranger who names an address voids no confirmation that waits', async () => {
  const { letters } = await askTwice('bystander@example.com', '198.51.100.20')
  for (const letter of letters) {
    const confirmed = await attacker().post('/trpc/alerts.confirm', { token: link(letter, 'confirm') })
    expect(confirmed.status).toBe(200)
  }
})

test('"This was not me" in an older letter refuses further ones', async () => {
  const email = 'other.bystander@example.com'
  const { ask, letters } = await askTwice(email, '198.51.100.21')
  const token = link(letters[0]!, 'refuse')
  expect((await attacker().post(`/photo-letters?token=${token}`, {})).body).toEqual({ hadEnded: false })
  expect(await ask(email)).toBe(422)
})

test('an owner who makes new keys all the time cannot end "This was not me"', async () => {
  const client = attacker('198.51.100.30')
  const email = 'reader@example.com'
  const ownerKey = await albumFor(client, email, 'Party')
  await completeRound(client, ownerKey)
  const token = /stop-letters#([\w-]+)/.exec(lettersTo(email)[0]!)![1]!
  const { body } = await client.post(`/api/albums/${ownerKey}/owner-key`, {})
  expect((await attacker().post(`/stop-letters?token=${token}`, {})).body).toEqual({ hadEnded: false })
  await completeRound(client, body.ownerKey)
  expect(lettersTo(email)).toHaveLength(1)
})

test('after a new owner key and a new password the former owner gets no letter and sees no photo', async () => {
  const { services } = service.context
  const { db } = service.database
  const former = 'former.owner@example.com'
  const owner = attacker('203.0.113.40')
  const ownerKey = await albumFor(owner, former, 'Handed over')
  await completeRound(owner, ownerKey)
  await waitUntil('the first letter', async () => lettersTo(former).length === 1)
  const confirmToken = /#letter=([\w-]+)/.exec(lettersTo(former)[0]!)![1]!
  const before = await albumOf(former)
  const { id: albumId } = before
  const photos = await db.selectFrom('photos').select('id').where('album_id', '=', albumId).execute()
  const optOut = await db
    .insertInto('opt_outs')
    .values({ album_id: albumId, state: 'hidden', faces: 1, photos_to_hide: photos.map(({ id }) => id) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const hideToken = hideLinks(services.keyring, '', before, optOut.id).yes.split('#yes=')[1]!

  // A letter that has begun when the mail server is away.
  mailServer.misbehaves = { at: 'DATA', answer: '451 Try again later' }
  const photo = { name: 'b.png', bytes: await newPicture() }
  await owner.uploadPhotos(ownerKey, [photo], { totalIntendedPhotos: 1 })
  const begun = () =>
    db
      .selectFrom('upload_rounds')
      .select('id')
      .where('album_id', '=', albumId)
      .where('letter_begun_at', 'is not', null)
      .where('letter_sent_at', 'is', null)
      .executeTakeFirst()
  await waitUntil('the second letter to begin', begun)
  const round = (await begun())!
  const seen = lettersTo(former).length
  const renewed = await renewOwnerKey(services, before, COMMAND_LINE, { email: 'new.owner@example.com' })
  const { body } = await attacker().post(`/api/albums/${renewed.ownerKey}/password`, {})
  mailServer.misbehaves = undefined
  await db
    .transaction()
    .execute((trx) => service.context.jobs.sender.send(trx, queues.sendLetter, [{ roundId: round.id }]))

  // One tells of the album, and one of the opt-out that is still open.
  await waitUntil(
    'both letters to the new owner',
    async () => lettersTo('new.owner@example.com').length === 2,
  )
  expect(
    lettersTo('new.owner@example.com').filter((letter) => letter.includes(body.albumPassword)),
  ).toHaveLength(1)
  expect(lettersTo(former).slice(seen).join()).not.toContain(body.albumPassword)
  expect((await attacker().post('/trpc/optOuts.readHideRequest', { token: hideToken })).status).toBe(404)
  expect((await attacker().post('/trpc/letters.confirm', { token: confirmToken })).status).toBe(404)
  expect((await albumOf('new.owner@example.com')).address_confirmed_at).toBeNull()
})

const albumOf = (email: string) =>
  service.database.db.selectFrom('albums').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
