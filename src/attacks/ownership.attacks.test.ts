import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, readSample, type TestClient } from '../testing/client.ts'

const { changeSecret, changeSettings } = RATE_LIMITS
const limits = {
  ...RATE_LIMITS,
  changeSecret: { ...changeSecret, perAddress: 20 },
  changeSettings: { ...changeSettings, perAddress: 20 },
}

let service: TestApp
let photo: Buffer
let owner: TestClient
let albumName: string
/** What the thief has copied from the owner. */
let stolen: { key: string; session: TestClient; albumId: string }

beforeAll(async () => {
  service = await startTestApp({ work: false, limits })
  photo = await readSample(1)
})
afterAll(() => service?.close())
beforeEach(async () => {
  owner = createClient(service.url)
  const created = await owner.createAlbum('Wedding')
  albumName = created.albumName
  const { album } = (await owner.get(`/api/albums/by-name/${albumName}`)).body
  stolen = {
    key: created.ownerKey,
    session: createClient(service.url, owner.cookie()),
    albumId: album.id,
  }
})

/** Tries everything that an owner may do. @returns the statuses */
async function attack(thief: TestClient, reference: string): Promise<number[]> {
  const at = `/api/albums/${reference}`
  const answers = [
    await thief.get(`${at}/progress`),
    await thief.get(`${at}/coverage`),
    await thief.uploadPhotos(reference, [{ name: 'a.jpg', bytes: photo }]),
    await thief.post(`${at}/finish-upload`, {}),
    await thief.post(`${at}/password`, {}),
    await thief.post(`${at}/owner-key`, {}),
    await thief.get(`${at}/letter-address`),
    await thief.post(`${at}/letter-address`, { email: 'thief@example.com' }),
    await thief.delete(at),
    await thief.get(`/api/albums/by-name/${albumName}`),
    await thief.search(albumName, photo),
    await thief.submitSelfie(photo, { userAlbumId: reference }),
  ]
  return answers.map(({ status }) => status)
}

const withSession = () => attack(stolen.session, stolen.albumId)
const withKey = () => attack(createClient(service.url), stolen.key)

test('after a new owner key neither the stolen key nor the stolen session can do anything', async () => {
  const { status } = await owner.post(`/api/albums/${stolen.key}/owner-key`, {})
  expect(status).toBe(200)
  expect(new Set(await withSession())).toEqual(new Set([401]))
  expect(new Set(await withKey())).toEqual(new Set([401, 404]))
  const entering = await stolen.session.post('/trpc/albums.enterAsOwner', { ownerKey: stolen.key })
  expect(entering.status).toBe(404)
  const { album } = (await owner.get(`/api/albums/by-name/${albumName}`)).body
  expect(album.isOwner).toBe(true)
})

test('of two new keys at the same moment only one is made, so a thief who is late gets none', async () => {
  const thief = createClient(service.url)
  const renewals = await Promise.all(
    [owner, thief].map((client) => client.post(`/api/albums/${stolen.key}/owner-key`, {})),
  )
  const keys = renewals.filter(({ status }) => status === 200).map(({ body }) => body.ownerKey)
  expect(keys).toHaveLength(1)
  expect((await createClient(service.url).get(`/api/albums/${keys[0]}/progress`)).status).toBe(200)
})

test('after logging out a copy of the cookie can do nothing', async () => {
  expect((await owner.post('/api/log-out', {})).status).toBe(200)
  expect(new Set(await withSession())).toEqual(new Set([401]))
})

test('what a thief does with an owner key is in the audit log', async () => {
  await createClient(service.url).delete(`/api/albums/${stolen.key}`)
  const events = await service.context.services.db
    .selectFrom('audit_log')
    .selectAll()
    .where('album_id', '=', stolen.albumId)
    .orderBy('id')
    .execute()
  expect(events.map(({ event, role }) => [event, role])).toEqual([
    ['album created', 'owner'],
    ['album erased', 'owner'],
  ])
})

test("a stranger's calls on their own album do not keep an owner behind the same address from theirs", async () => {
  const stranger = createClient(service.url)
  const { ownerKey } = await stranger.createAlbum('Strangers')
  const calls = [
    { path: 'password', json: {}, limit: limits.changeSecret },
    { path: 'settings', json: { browsing: 'on' }, limit: limits.changeSettings },
    { path: 'letter-address', json: { email: 'new@example.com' }, limit: limits.changeAddress },
  ]
  for (const { path, json, limit } of calls) {
    let status = 0
    for (let calls = 0; calls <= limit.perAddress; calls++)
      status = (await stranger.post(`/api/albums/${ownerKey}/${path}`, json)).status
    expect(status).toBe(429)
    const own = path === 'letter-address' ? { email: 'mine@example.com' } : json
    expect((await owner.post(`/api/albums/${stolen.key}/${path}`, own)).status).toBe(200)
  }
})
