import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { type BegunForm, beginForm } from '../testing/begun-form.ts'
import { type Answer, createClient, type TestClient } from '../testing/client.ts'
import { waitUntil } from '../testing/wait.ts'
import { buildApp } from './app.ts'
import { ARRIVAL_LIMITS } from './arrival-limits.ts'

const MB = 1024 * 1024
/** No picture, so that its search ends at once. */
const WORDS = Buffer.from('just words')

let service: TestApp
let albumName: string
let owner: TestClient

beforeAll(async () => {
  service = await startTestApp({
    work: false,
    arrival: { selfies: { ...ARRIVAL_LIMITS.selfies, bytes: 30 * MB, waitMs: 50 } },
  })
  owner = createClient(service.url)
  albumName = (await owner.createAlbum()).albumName
})
afterAll(() => service?.close())

const forms: BegunForm[] = []
beforeEach(() => service.database.db.deleteFrom('rate_limits').execute())
afterEach(() => {
  for (const form of forms.splice(0)) form.hangUp()
})

/** The first answer to forms that have begun and do not end: those that have room get none. */
const firstAnswer = (begun: BegunForm[]) => Promise.race(begun.map(({ answer }) => answer))

type FormOptions = Parameters<typeof beginForm>[1] & { url?: string }
function begin(path: string, { url = service.url, ...options }: FormOptions): BegunForm {
  const form = beginForm(url + path, options)
  forms.push(form)
  return form
}
const search = (options: FormOptions = {}) =>
  begin('/api/search-in-album', { cookie: owner.cookie(), fields: { albumName }, ...options })

/** A guest with a session of their own. */
async function newGuest(): Promise<TestClient> {
  const { albumPassword: password } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  const guest = createClient(service.url)
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

describe('a form that arrives too slowly', () => {
  let url: string
  let impatient: FastifyInstance
  beforeAll(async () => {
    const selfieRate = { graceMs: 500, bytesPerSecond: 100_000 }
    impatient = await buildApp(service.context.services, { ...ARRIVAL_LIMITS, selfieRate })
    url = await impatient.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => impatient.close())

  test.each([
    ['when its length is known', 10_000_000],
    ['when its length is not known', undefined],
  ])('is given up, %s, and its place is free again', async (_what, length) => {
    const slow = [search({ url, length }), search({ url, length })]
    for (const form of slow)
      expect(await form.answer).toMatchObject({ status: 408, body: { code: 'TIMEOUT' } })
    const again = createClient(url, owner.cookie())
    await waitUntil('the place', async () => (await again.search(albumName, WORDS)).status === 415)
  })
})

describe('one caller', () => {
  test('has at most two selfies at once, and gets its place back when it hangs up', async () => {
    const begun = [search(), search(), search()]
    expectFull(await firstAnswer(begun))
    expect((await (await newGuest()).search(albumName, WORDS)).status).toBe(415)
    for (const form of begun) form.hangUp()
    await waitUntil('the place', async () => (await owner.search(albumName, WORDS)).status === 415)
  })

  function expectFull(answer: Answer | Error): void {
    const message = 'We are still searching with your last selfie. Please wait a few seconds and try again.'
    expect(answer).toMatchObject({ status: 429, body: { message } })
    expect((answer as Answer).headers.get('retry-after')).toBe('3')
  }
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
