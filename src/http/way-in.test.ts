import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { forgetCalls } from '../jobs/retention.ts'
import { createClient, type TestClient } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { emptyMailbox, mailbox, mailDeps, sendLetters } from '../testing/mailbox.ts'
import { albumName, createAlbumForEachTest, owner, ownerKey, service } from '../testing/own-album.ts'

createAlbumForEachTest({ work: false })
// Tests of other files may have left a server that does something else.
beforeEach(() => emptyMailbox(service.database.db))

const isOwner = async (client: TestClient, name = albumName) =>
  (await client.get(`/api/albums/by-name/${name}`)).body.album?.isOwner === true
const ask = (email: string, client = createClient(service.url)) =>
  client.post('/api/albums/letters', { email })

/** Sends what is due, and gives the letters that came. */
async function letters() {
  mailbox.sent.length = 0
  await sendLetters(service.context)
  return mailbox.sent
}
const keysIn = (text: string) => [...text.matchAll(/#owner-key=(\S+)/g)].map(([, key]) => key!)

/** An address of its own for each test. */
async function newAddress(): Promise<string> {
  const email = `${albumName}@example.com`
  await service.database.db.updateTable('albums').set({ email }).where('slug', '=', albumName).execute()
  return email
}

test('a letter brings an organiser back into all albums of an address, and confirms the address', async () => {
  const email = await newAddress()
  const { albumName: second } = await owner.createAlbum('Second party')
  await service.database.db.updateTable('albums').set({ email }).where('slug', '=', second).execute()
  expect(await ask(email.toUpperCase())).toMatchObject({ status: 200, body: { accepted: true } })
  const [letter, ...others] = await letters()
  expect(others).toEqual([])
  expect(letter).toMatchObject({
    to: email.replace(/^.*(?=@)/, (name) => name.toUpperCase()),
    subject: 'The links to your photo albums',
  })
  const laptop = createClient(service.url)
  for (const key of keysIn(letter!.text))
    expect((await laptop.post('/trpc/albums.enterAsOwner', { ownerKey: key })).status).toBe(200)
  expect([await isOwner(laptop), await isOwner(laptop, second)]).toEqual([true, true])
  const confirmed = service.database.db
    .selectFrom('albums')
    .select('address_confirmed_at')
    .where('email', '=', email)
  expect((await confirmed.execute()).map((album) => album.address_confirmed_at !== null)).toEqual([
    true,
    true,
  ])
})

test('nobody learns whether an address has albums, and a new owner key ends the links', async () => {
  const email = await newAddress()
  const [known, unknown] = [await ask(email), await ask('nobody@example.com')]
  expect(unknown.body).toEqual(known.body)
  const sent = await letters()
  expect(sent.map(({ to }) => to)).toEqual([email])
  await owner.post(`/api/albums/${ownerKey}/owner-key`, {})
  const [key] = keysIn(sent[0]!.text)
  expect((await createClient(service.url).post('/trpc/albums.enterAsOwner', { ownerKey: key })).status).toBe(
    404,
  )
})

test('one mailbox gets a few such letters a day, of one network fewer, and they leave the outbox after a day', async () => {
  const email = await newAddress()
  const from = (network: string) => createClient(service.url, '', { 'x-forwarded-for': network })
  const statuses: number[] = []
  for (const network of [1, 1, 1, 1, 2, 3, 3]) {
    statuses.push((await ask(email, from(`203.0.113.${network}`))).status)
    await sendLetters(service.context)
  }
  expect(statuses).toEqual([200, 200, 200, 429, 200, 200, 429])
  const { db } = service.database
  await sql`update letters set sent_at = sent_at - interval '25 hours', counted_at = counted_at - interval '25 hours'`.execute(
    db,
  )
  mailbox.removed.length = 0
  await forgetCalls.run(mailDeps(service.context), {}, { attempt: 1 })
  expect(mailbox.removed.length).toBeGreaterThanOrEqual(5)
})

test('a link makes another device the owner once, within ten minutes', async () => {
  const { body } = await owner.post(`/api/albums/${ownerKey}/device-links`, {})
  const seconds = (Date.parse(body.endsAt) - Date.now()) / 1000
  expect(seconds).toBeGreaterThan(590)
  expect(seconds).toBeLessThanOrEqual(600)
  const [phone, thief] = [createClient(service.url), createClient(service.url)]
  expect((await phone.post('/api/device-links/use', { token: body.token })).body.album.albumName).toBe(
    albumName,
  )
  expectError(await thief.post('/api/device-links/use', { token: body.token }), 409, /used already/)
  expect([await isOwner(phone), await isOwner(thief)]).toEqual([true, false])
})

test('a link that comes late, or after a new owner key, opens nothing', async () => {
  const link = async () => (await owner.post(`/api/albums/${ownerKey}/device-links`, {})).body.token
  const { keyring } = service.context
  const content = { id: crypto.randomUUID(), albumId: crypto.randomUUID(), version: 1 }
  const token = await link()
  await owner.post(`/api/albums/${ownerKey}/owner-key`, {})
  for (const wrong of [
    token,
    keyring.seal('device-link', 'link', content, 0),
    keyring.seal('device-link', 'link', content, 60),
  ])
    expect((await createClient(service.url).post('/api/device-links/use', { token: wrong })).status).toBe(404)
})

test('an owner whose address is confirmed gets a letter when nothing of the album remains', async () => {
  const email = await newAddress()
  const { db } = service.database
  await sql`update albums set address_confirmed_at = now() where email = ${email}`.execute(db)
  await owner.delete(`/api/albums/${ownerKey}`)
  await sql`update letters set due_at = now()`.execute(db)
  const [letter] = await letters()
  expect(letter).toMatchObject({ to: email, subject: 'Your photo album is erased' })
  expect(letter!.text).toMatch(/Photos erased: 0\nFaces erased: 0\nStill there: 0/)
  expect(letter!.text).not.toContain(albumName)
})
