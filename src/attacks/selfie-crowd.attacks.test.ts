import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { createGate } from '../gate.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, type TestClient } from '../testing/client.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { newPicture } from '../testing/new-picture.ts'
import { surelyFound } from '../testing/surely-found.ts'

const ATTACKER = '203.0.113.66'
const SESSIONS = 20
const CROWD = 100
/** Of the engine, for a search. It does one at a time, so the machine does not matter much. */
const SEARCH_MS = 100
/** Then a guest gives up. */
const LONGEST_VISIT_MS = 60_000

let service: TestApp
let albumName: string
let password: string
let selfie: Buffer

const oneAtATime = createGate(1)
const engine = {
  engine: 'embedded',
  search: (albumIds) =>
    oneAtATime(async () => {
      await pause(SEARCH_MS)
      return surelyFound(albumIds.map((albumId) => [albumId, []]))
    }),
  prepare: () => {},
  check: async () => {},
  close: async () => {},
} as Partial<FaceIndex> as FaceIndex

beforeAll(async () => {
  service = await startTestApp({ work: false, faces: engine })
  const owner = createClient(service.url)
  ;({ albumName } = await owner.createAlbum())
  const { album } = (await owner.get(`/api/albums/by-name/${albumName}`)).body
  password = album.albumPassword
  await insertIndexedPhotos(service.database.db, album.id, 1)
  selfie = await newPicture()
})
afterAll(() => service?.close())

async function guestFrom(address: string): Promise<TestClient> {
  const guest = createClient(service.url, '', { 'x-forwarded-for': address })
  expect((await guest.post(`/api/albums/${albumName}/authenticate`, { password })).status).toBe(200)
  return guest
}

const guestsFrom = (addresses: string[]) => Promise.all(addresses.map(guestFrom))

/** Searches again as soon as there is an answer. */
async function hammer(session: TestClient, ending: AbortSignal, onFound: () => void): Promise<void> {
  while (!ending.aborted) {
    const { status } = await session.search(albumName, selfie)
    if (status === 200) onFound()
    await pause(10)
  }
}

/** Searches as the page does: again after the time that the service names, until the photos come. */
async function visit(guest: TestClient): Promise<void> {
  const began = performance.now()
  for (;;) {
    const { status, headers } = await guest.search(albumName, selfie)
    if (status === 200) return
    expect(status).toBe(503)
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(10)
    if (performance.now() - began > LONGEST_VISIT_MS) throw new Error('A guest has given up')
    await pause(seconds * 1_000)
  }
}

test('twenty sessions of one address that search without a pause delay no guest elsewhere, and those behind the same address by a round', async () => {
  const sessions = await guestsFrom(Array(SESSIONS).fill(ATTACKER))
  const sameNetwork = await guestsFrom(Array(4).fill(ATTACKER))
  const elsewhere = await guestsFrom(['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'])
  const ending = new AbortController()
  let attackersFound = 0
  const hammering = Promise.all(
    sessions.map((session) => hammer(session, ending.signal, () => void attackersFound++)),
  )
  await pause(2_000)
  /** How many searches of the attacker were answered before the guest's. */
  const waitOf = async (guest: TestClient) => {
    const before = attackersFound
    await visit(guest)
    return attackersFound - before
  }
  const [here, there] = await Promise.all([
    Promise.all(sameNetwork.map(waitOf)),
    Promise.all(elsewhere.map(waitOf)),
  ]).finally(() => ending.abort())
  await hammering
  // Without turns, at least all sessions go first.
  for (const answered of there) expect(answered).toBeLessThan(SESSIONS)
  for (const answered of here) expect(answered).toBeLessThanOrEqual(3 * SESSIONS)
  // Nothing of the attack remains when it has ended.
  const [late] = await guestsFrom([ATTACKER])
  expect((await late!.search(albumName, selfie)).status).toBe(200)
})

test('a hall of guests behind one address who search at once all get their photos', async () => {
  const hall = await guestsFrom(Array(CROWD).fill('192.0.2.50'))
  await Promise.all(hall.map(visit))
})

describe('selfies that use up the limit of an address', () => {
  // Far less than the real number, so that the test is short.
  const limits = { ...RATE_LIMITS, selfie: { ...RATE_LIMITS.selfie, perAddress: 100 } }
  const SENDERS = 2
  const EACH = 60

  test.each([
    ['thirteen bytes', async () => Buffer.from('no picture at')],
    ['small pictures', () => newPicture()],
  ])('%s from many sessions do not keep another guest there from searching', async (_what, make) => {
    const service = await startTestApp({ work: false, limits })
    try {
      const owner = createClient(service.url)
      const { albumName } = await owner.createAlbum()
      const { albumPassword: password } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
      const newGuest = async () => {
        const guest = createClient(service.url)
        await guest.post(`/api/albums/${albumName}/authenticate`, { password })
        return guest
      }
      const picture = await make()
      const send = async () => {
        const guest = await newGuest()
        for (let sent = 0; sent < EACH; sent++) await guest.search(albumName, picture)
      }
      await Promise.all(Array.from({ length: SENDERS }, send))
      // The album has no faces, so the search finds nothing.
      const { status, body } = await (await newGuest()).search(albumName, await newPicture())
      expect({ status, message: body.message }).not.toMatchObject({ status: 429 })
      expect(status).not.toBe(503)
    } finally {
      await service.close()
    }
  })
})
