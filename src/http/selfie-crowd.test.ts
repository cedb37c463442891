import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FaceIndex } from '../faces/face-index.ts'
import { queues } from '../queues/queues.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { type Answer, createClient, type TestClient } from '../testing/client.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { newPicture } from '../testing/new-picture.ts'
import { surelyFound } from '../testing/surely-found.ts'
import { waitUntil } from '../testing/wait.ts'

/** One engine needs three seconds for so many selfies, as long as its pace was not measured. */
const FULL = 8

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

// Each test has a service that has not measured a pace yet.
beforeEach(async () => {
  searches = []
  service = await startTestApp({ work: false, selfieWaitMs: 0, faces: slowEngine })
  const owner = createClient(service.url)
  ;({ ownerKey, albumName } = await owner.createAlbum())
  const { album } = (await owner.get(`/api/albums/by-name/${albumName}`)).body
  password = album.albumPassword
  await insertIndexedPhotos(service.database.db, album.id, 1)
  selfie = await newPicture()
})
afterEach(async () => {
  for (const end of searches) end()
  await service?.close()
})

async function newGuest(): Promise<TestClient> {
  const guest = createClient(service.url)
  await guest.post(`/api/albums/${albumName}/authenticate`, { password })
  return guest
}

/** Begins searches of as many guests, and waits until the engine has them. */
async function beginSearches(count: number): Promise<Promise<Answer>[]> {
  const before = searches.length
  const guests = await Promise.all(Array.from({ length: count }, newGuest))
  const answers = guests.map((guest) => guest.search(albumName, selfie))
  await waitUntil('the searches', async () => searches.length === before + count)
  return answers
}

async function endSearches(answers: Promise<Answer>[]): Promise<void> {
  for (const end of searches.splice(0)) end()
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
}

/** Lets the time of everybody who was sent away come. */
const letTimesCome = () =>
  service.database.db.updateTable('selfie_places').set({ due_at: sql<Date>`now()` }).execute()

function expectSentAway({ status, headers, body }: Answer): void {
  expect(status).toBe(503)
  expect(body).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Many guests are searching for their photos at the moment. Please try again in a moment.',
  })
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
}

test('a guest who finds too many others learns when to come again, and is then let in before those who come later', async () => {
  const [early, late] = [await newGuest(), await newGuest()]
  const first = await beginSearches(FULL)
  expectSentAway(await early.search(albumName, selfie))
  expectSentAway(await early.search(albumName, selfie))
  await letTimesCome()
  expectSentAway(await late.search(albumName, selfie))
  const found = early.search(albumName, selfie)
  await waitUntil('the search', async () => searches.length === FULL + 1)
  await endSearches([...first, found])
  const later = late.search(albumName, selfie)
  await waitUntil('the search', async () => searches.length === 1)
  await endSearches([later])
  // A crowd is no fault.
  expect(service.logged).toEqual([])
})

test('a call that is sent away does not count against the limit of searches', async () => {
  const counted = async () => {
    const rows = await service.database.db.selectFrom('rate_limits').select('count').execute()
    return rows.reduce((sum, { count }) => sum + count, 0)
  }
  const guest = await newGuest()
  const first = await beginSearches(FULL)
  const before = await counted()
  const form = new FormData()
  form.append('albumName', albumName)
  form.append('photo', new Blob([new Uint8Array(selfie)]), 'selfie.jpg')
  expectSentAway(await guest.postForm('/api/search-in-album', form))
  expect(await counted()).toBe(before)
  await endSearches(first)
})

test('a caller who may not search learns only that', async () => {
  const first = await beginSearches(FULL)
  const stranger = createClient(service.url)
  expect((await stranger.search(albumName, selfie)).status).toBe(401)
  await endSearches(first)
})

test('selfies are not submitted while the next one waits for seconds, or a hundred wait', async () => {
  const submit = async () => (await newGuest()).submitSelfie(selfie, { userAlbumId: ownerKey })
  const waiting = sql`pgboss.job where name = ${queues.matchSelfie.name}`
  expect((await submit()).status).toBe(200)
  expect((await submit()).status).toBe(200)

  await sql`
    update pgboss.job set created_on = now() - interval '4 seconds'
    where name = ${queues.matchSelfie.name}`.execute(service.database.db)
  expectSentAway(await submit())

  await sql`
    insert into pgboss.job (name, data, policy)
    select name, data, policy from (select * from ${waiting} limit 1) as one, generate_series(1, 100)`.execute(
    service.database.db,
  )
  await sql`
    update pgboss.job set created_on = now() where name = ${queues.matchSelfie.name}`.execute(
    service.database.db,
  )
  expectSentAway(await submit())

  await service.context.jobs.boss.deleteAllJobs(queues.matchSelfie.name)
  expect((await submit()).status).toBe(200)
})
