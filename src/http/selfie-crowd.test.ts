import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FaceIndex } from '../faces/face-index.ts'
import { recordOutcome } from '../search/queries.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { type Answer, createClient, type TestClient } from '../testing/client.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { newPicture } from '../testing/new-picture.ts'
import { surelyFound } from '../testing/surely-found.ts'
import { waitUntil } from '../testing/wait.ts'
import { buildApp } from './app.ts'
import { LIMITS } from './limits.ts'

/** Selfies of one network that are in work at a time. The engine has one process. */
const IN_WORK = 2
/** Those that may wait in these tests: as many as all networks may have in work. */
const WAITING = 3
/** Submissions of one network that may wait to be matched. */
const SUBMITTED = 16

let service: TestApp
let albumName: string
let ownerKey: string
let password: string
let selfie: Buffer
/** Each ends a search that is in the engine. */
let searches: (() => void)[]

/** Answers a search when the test says so. */
const slowEngine = {
  engine: 'embedded',
  search: (albumIds) =>
    new Promise((resolve) => {
      searches.push(() => resolve(surelyFound(albumIds.map((albumId) => [albumId, []]))))
    }),
  prepare: () => {},
  check: async () => {},
  close: async () => {},
} as Partial<FaceIndex> as FaceIndex

beforeEach(async () => {
  searches = []
  const arrival = { selfies: { ...LIMITS.selfies, expectedMs: 0, waitMs: 60_000 } }
  service = await startTestApp({ work: false, selfieWaitMs: 0, faces: slowEngine, arrival })
  const owner = createClient(service.url)
  ;({ ownerKey, albumName } = await owner.createAlbum())
  const { album } = (await owner.get(`/api/albums/by-name/${albumName}`)).body
  password = album.albumPassword
  await insertIndexedPhotos(service.database.db, album.id, 1)
  selfie = await newPicture()
})
afterEach(async () => {
  // Also those that get their turn only now. Otherwise the service waits for them as long as it can.
  const ending = endSearches()
  await service?.close().finally(() => clearInterval(ending))
})

/** Ends the searches that are in the engine, again and again. */
const endSearches = () =>
  setInterval(() => {
    for (const end of searches.splice(0)) end()
  }, 20)

async function newGuest(url = service.url): Promise<TestClient> {
  const guest = createClient(url)
  await guest.post(`/api/albums/${albumName}/authenticate`, { password })
  return guest
}

const newGuests = (count: number) => Promise.all(Array.from({ length: count }, () => newGuest()))

/** Begins searches until one is sent away.
 *  @returns its guest and its answer, and the answers of all others, which wait */
async function fill() {
  const inWork = (await newGuests(IN_WORK)).map((guest) => guest.search(albumName, selfie))
  await waitUntil('the searches', async () => searches.length === IN_WORK)
  const begun = (await newGuests(WAITING + 1)).map((guest) => ({
    guest,
    answer: guest.search(albumName, selfie),
  }))
  const sentAway = await Promise.race(
    begun.map(async (one) => ({ guest: one.guest, answer: await one.answer })),
  )
  const others = begun.filter(({ guest }) => guest !== sentAway.guest).map(({ answer }) => answer)
  return { sentAway, others: [...inWork, ...others] }
}

/** Ends searches until all have been answered. */
async function expectFound(answers: Promise<Answer>[]): Promise<void> {
  const all = Promise.all(answers)
  const ending = endSearches()
  for (const { status } of await all.finally(() => clearInterval(ending))) expect(status).toBe(200)
}

function expectSentAway({ status, headers, body }: Answer): void {
  expect(status).toBe(503)
  expect(body).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Many guests are searching for their photos at the moment. Please try again in a moment.',
  })
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(10)
}

test('a guest who finds too many others learns when to come again, and the others are answered', async () => {
  const { sentAway, others } = await fill()
  expectSentAway(sentAway.answer)
  await expectFound(others)
  await expectFound([sentAway.guest.search(albumName, selfie)])
  // A crowd is no fault.
  expect(service.logged).toEqual([])
})

test('selfies are not submitted while too many wait to be matched', async () => {
  const app = await buildApp(service.context.services, {
    ...LIMITS,
    selfies: { ...LIMITS.selfies, waitMs: 300 },
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const submit = async () => (await newGuest(url)).submitSelfie(selfie, { userAlbumId: ownerKey })
    const submitted = await Promise.all(Array.from({ length: SUBMITTED }, submit))
    expect(submitted.map(({ status }) => status)).toEqual(Array(SUBMITTED).fill(200))
    expectSentAway(await submit())
    const id = submitted[0]!.body.redirectTo.split('/').at(-1)
    await service.database.db.transaction().execute((trx) => recordOutcome(trx, id, 'matched'))
    await waitUntil('a free place', async () => (await submit()).status === 200)
  } finally {
    await app.close()
  }
})
