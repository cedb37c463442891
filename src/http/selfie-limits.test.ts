import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { type BegunForm, beginForm } from '../testing/begun-form.ts'
import { createClient, type TestClient } from '../testing/client.ts'
import { buildApp } from './app.ts'
import { LIMITS } from './limits.ts'

const MB = 1024 * 1024
/** No picture, so that its search ends at once. */
const WORDS = Buffer.from('just words')

let service: TestApp
let albumName: string
let owner: TestClient

beforeAll(async () => {
  service = await startTestApp({ work: false })
  owner = createClient(service.url)
  albumName = (await owner.createAlbum()).albumName
})
afterAll(() => service?.close())

const forms: BegunForm[] = []
beforeEach(() => service.database.db.deleteFrom('rate_limits').execute())
afterEach(() => {
  for (const form of forms.splice(0)) form.hangUp()
})

type FormOptions = Parameters<typeof beginForm>[1] & { url?: string }
function begin(path: string, { url = service.url, ...options }: FormOptions): BegunForm {
  const form = beginForm(url + path, options)
  forms.push(form)
  return form
}
const search = (options: FormOptions = {}) =>
  begin('/api/search-in-album', { cookie: owner.cookie(), fields: { albumName }, ...options })

/** A guest with a session of their own. */
async function newGuest(address = '127.0.0.1'): Promise<TestClient> {
  const { albumPassword: password } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  const guest = createClient(service.url, '', { 'x-forwarded-for': address })
  await guest.post(`/api/albums/${albumName}/authenticate`, { password })
  return guest
}

describe('at the first byte of the photo', () => {
  test('a search of an album without a grant is refused, when its name comes first', async () => {
    const other = createClient(service.url)
    const { albumName: theirs } = await other.createAlbum('Theirs')
    expect(await search({ fields: { albumName: theirs } }).answer).toMatchObject({ status: 401 })
    expect(await search({ fields: { albumName: 'unknown' } }).answer).toMatchObject({ status: 404 })
  })

  test('a form that says it is larger than three selfies is refused', async () => {
    expect(await search({ length: 31 * MB }).answer).toMatchObject({ status: 413 })
  })
})

test('a form that arrives too slowly is given up, and its places are free again', async () => {
  const app = await buildApp(service.context, { ...LIMITS, selfie: 500 })
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  // Together they take all the places of their network.
  const slow = [
    search({ url, length: 30 * MB }),
    search({ url, length: 30 * MB }),
    search({ url, length: 30 * MB }),
  ]
  const again = createClient(url, owner.cookie()).search(albumName, WORDS)
  for (const form of slow) expect(await form.answer).toMatchObject({ status: 408, body: { code: 'TIMEOUT' } })
  expect((await again).status).toBe(415)
})

test('a hall of guests whose selfies stand still leaves room to a guest of another network', async () => {
  // Three pictures of 10 MB each, so that few of them take all the places of their network.
  const hall = { address: '203.0.113.1', length: 30 * MB }
  for (let count = 0; count < 4; count++) search(hall)
  const guest = await newGuest('203.0.113.2')
  expect((await guest.search(albumName, WORDS)).status).toBe(415)
})

test('selfies count for their session only, also those that cannot be decoded', async () => {
  const guest = await newGuest()
  const { ofSession } = RATE_LIMITS.selfie
  for (let sent = 0; sent < ofSession!; sent++)
    expect((await guest.search(albumName, WORDS)).status).toBe(415)
  const refused = await guest.search(albumName, WORDS)
  expect(refused).toMatchObject({
    status: 429,
    body: { message: expect.stringContaining('Too many searches') },
  })
  expect((await (await newGuest()).search(albumName, WORDS)).status).toBe(415)
})
