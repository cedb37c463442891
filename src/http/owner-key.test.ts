import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ownerKeyChanged } from '../albums/access.ts'
import { findAlbum } from '../albums/queries.ts'
import { forgetEndedSessions } from '../albums/visitor-queries.ts'
import { allEvents } from '../audit/audit-log.ts'
import { OWNER_KEY } from '../contract/albums/owner-link.ts'
import { ownerAddressHashes } from '../letters/addresses.ts'
import { letterLinks } from '../letters/links.ts'
import { saveRefusedAddress } from '../letters/queries.ts'
import { guestOf } from '../testing/app-of-file.ts'
import { type Answer, createClient, readSample, type TestClient } from '../testing/client.ts'
import { albumId, albumName, createAlbumForEachTest, owner, ownerKey, service } from '../testing/own-album.ts'
import { waitUntil } from '../testing/wait.ts'
import { insertRound } from '../uploads/queries.ts'

createAlbumForEachTest({ work: false })

const albumOf = async (client: TestClient) =>
  (await client.get(`/api/albums/by-name/${albumName}`)).body.album
const enterAsOwner = (client: TestClient, key: string) =>
  client.post('/trpc/albums.enterAsOwner', { ownerKey: key })
const renew = (client: TestClient, reference = ownerKey) =>
  client.post(`/api/albums/${reference}/owner-key`, {})

/** The statuses that an owner's calls answer, with the key or the public id in the address. */
async function ownerCalls(client: TestClient, reference: string): Promise<number[]> {
  const photo = { name: 'a.jpg', bytes: await readSample(1) }
  const answers = [
    await client.uploadPhotos(reference, [photo]),
    await client.get(`/api/albums/${reference}/progress`),
    await client.get(`/api/albums/${reference}/coverage`),
    await client.post(`/api/albums/${reference}/finish-upload`, {}),
    await client.post(`/api/albums/${reference}/password`, {}),
    await client.post(`/api/albums/${reference}/owner-key`, {}),
    await client.delete(`/api/albums/${reference}`),
  ]
  return answers.map(({ status }) => status)
}

test("an owner's session gets a key for its browser, also before the address is confirmed, until there is a new owner key", async () => {
  const browserKey = async () => (await owner.query('albums.browserKey', { id: albumId })).body.result.data
  const { ownerKey: key, email } = await browserKey()
  expect(email).toBe('owner@example.com')
  const elsewhere = createClient(service.url)
  expect((await enterAsOwner(elsewhere, key)).status).toBe(200)
  expect((await albumOf(elsewhere)).isOwner).toBe(true)
  const { db, keyring } = service.context
  await saveRefusedAddress(db, ownerAddressHashes(keyring, albumId, email)[0], albumId)
  expect((await enterAsOwner(elsewhere, key)).status).toBe(200)
  await renew(owner)
  expect((await enterAsOwner(elsewhere, key)).status).toBe(404)
  expect((await enterAsOwner(elsewhere, (await browserKey()).ownerKey)).status).toBe(200)
})

test('the key of a letter enters as the owner and submits a selfie, and is no owner key of the REST calls', async () => {
  const { db, keyring } = service.context
  await sql`update albums set address_confirmed_at = now() where slug = ${albumName}`.execute(db)
  const album = (await findAlbum(db, { slug: albumName }))!
  const key = letterLinks(keyring, service.url, album).owner.split(`#${OWNER_KEY}=`)[1]!
  const elsewhere = createClient(service.url)
  expect(await ownerCalls(elsewhere, key)).toEqual(Array(7).fill(404))
  expect((await elsewhere.submitSelfie(await readSample(1), { userAlbumId: key })).status).toBe(200)
  expect((await enterAsOwner(elsewhere, key)).status).toBe(200)
  expect((await albumOf(elsewhere)).isOwner).toBe(true)
})

describe('a new owner key', () => {
  test('ends the former key and all owner sessions at once, except that of the caller and those of guests', async () => {
    const elsewhere = createClient(service.url)
    await enterAsOwner(elsewhere, ownerKey)
    expect((await albumOf(elsewhere)).isOwner).toBe(true)

    const guest = await guestOf(service, owner, albumName)
    const { body } = await renew(owner)
    expect(body.ownerKey).toMatch(/^[\w-]{32}$/)
    expect(await ownerCalls(elsewhere, albumId)).toEqual(Array(7).fill(401))
    expect(await ownerCalls(createClient(service.url), ownerKey)).toEqual(Array(7).fill(404))
    expect((await enterAsOwner(elsewhere, ownerKey)).status).toBe(404)

    expect((await albumOf(owner)).isOwner).toBe(true)
    expect((await enterAsOwner(elsewhere, body.ownerKey)).status).toBe(200)
    expect((await albumOf(elsewhere)).isOwner).toBe(true)
    expect((await albumOf(guest)).isOwner).toBe(false)
  })

  test.each<[string, (key: string) => Promise<Answer>]>([
    ['an upload', async (key) => owner.uploadPhotos(key, [{ name: 'a.jpg', bytes: await readSample(1) }])],
    ['a closing of an upload round', (key) => owner.post(`/api/albums/${key}/finish-upload`, {})],
    ['a new password', (key) => owner.post(`/api/albums/${key}/password`, {})],
    ['another owner key', (key) => renew(owner, key)],
    ['a setting', (key) => owner.post(`/api/albums/${key}/settings`, { browsing: 'on' })],
    ['an address', (key) => owner.post(`/api/albums/${key}/letter-address`, { email: 'a@example.com' })],
    ['an erasure', (key) => owner.delete(`/api/albums/${key}`)],
  ])('ends %s that is under way: it changes nothing', async (_, call) => {
    const { db } = service.context
    const before = (await findAlbum(db, { slug: albumName }))!
    await db.transaction().execute((trx) => insertRound(trx, before.id, null))
    const stored = async () => ({
      album: await findAlbum(db, { id: before.id }),
      photos: await db.selectFrom('photos').select('id').where('album_id', '=', before.id).execute(),
      rounds: await db.selectFrom('upload_rounds').selectAll().where('album_id', '=', before.id).execute(),
      events: (await allEvents(db)).length,
    })
    const { album, ...rest } = await stored()
    const { answer } = await db.transaction().execute(async (trx) => {
      await sql`update albums set owner_key_version = 2 where id = ${before.id}`.execute(trx)
      const answer = call(ownerKey)
      await waitUntil('the call to wait for the album', async () => {
        const waiting = sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return (await waiting.execute(db)).rows.length > 0
      })
      return { answer }
    })
    const { status, body } = await answer
    expect(status).toBe(409)
    expect(body).toMatchObject({ message: ownerKeyChanged().message, code: 'CONFLICT' })
    expect(body).not.toHaveProperty('albumPassword')
    expect(await stored()).toEqual({ album: { ...album, owner_key_version: 2 }, ...rest })
  })
})

describe('logging out', () => {
  const logOut = (client: TestClient, name?: string) => client.post('/api/log-out', { albumName: name })

  test('ends the session, also for copies of its cookie', async () => {
    const copy = createClient(service.url, owner.cookie())
    expect((await logOut(owner, albumName)).body).toEqual({ albumsLeft: 1 })
    expect(owner.cookie()).toBe('inframe=')
    expect(await ownerCalls(owner, albumId)).toEqual(Array(7).fill(401))
    expect(await ownerCalls(copy, albumId)).toEqual(Array(7).fill(401))
    expect((await copy.search(albumName, await readSample(1))).status).toBe(401)
    expect((await copy.submitSelfie(await readSample(1))).status).toBe(401)
    // The key is still the owner's.
    await enterAsOwner(copy, ownerKey)
    expect((await albumOf(copy)).isOwner).toBe(true)
  })

  test('of one album leaves the others, and ends the former cookie', async () => {
    const first = albumName
    const { albumName: second } = await owner.createAlbum('Second')
    const copy = createClient(service.url, owner.cookie())
    expect((await logOut(owner, first)).body).toEqual({ albumsLeft: 1 })
    expect((await owner.get(`/api/albums/by-name/${first}`)).status).toBe(401)
    expect((await owner.get(`/api/albums/by-name/${second}`)).status).toBe(200)
    for (const name of [first, second])
      expect((await copy.get(`/api/albums/by-name/${name}`)).status).toBe(401)
    // Without a name it is of all albums.
    expect((await logOut(owner)).body).toEqual({ albumsLeft: 1 })
    expect((await owner.get(`/api/albums/by-name/${second}`)).status).toBe(401)
  })

  test('is remembered for as long as a cookie is valid', async () => {
    const { db } = service.context
    await logOut(owner)
    await db.updateTable('ended_sessions').set({ ended_at: sql<Date>`now() - interval '29 days'` }).execute()
    await forgetEndedSessions(db)
    expect(await db.selectFrom('ended_sessions').selectAll().execute()).not.toEqual([])
    await db.updateTable('ended_sessions').set({ ended_at: sql<Date>`now() - interval '31 days'` }).execute()
    await forgetEndedSessions(db)
    expect(await db.selectFrom('ended_sessions').selectAll().execute()).toEqual([])
  })
})
