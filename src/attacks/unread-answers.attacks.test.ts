import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'
import type { TestClient } from '../testing/client.ts'
import { type Pipeline, sendPipelined } from '../testing/pipelined.ts'
import { sendRaw } from '../testing/raw-call.ts'
import { waitUntil } from '../testing/wait.ts'

const STRANGER = '198.19.0.1'
const PHOTOS = 4

let site: AttackedSite
let guest: TestClient
/** An address of a photo of 3 MB, which is about what the buffers of a connection hold, and one of a zip of four. */
let photo: string
let zip: string

beforeAll(async () => {
  site = await startAttackedSite()
  guest = await site.guest()
  ;({ photo, zip } = await addLargePhotos(site.stranger()))
})
afterAll(() => site?.close())

async function addLargePhotos(stranger: TestClient): Promise<{ photo: string; zip: string }> {
  const { ownerKey, albumName } = await stranger.createAlbum('Large photos')
  const raw = { width: 2000, height: 2000, channels: 3 } as const
  const noise = async (_: unknown, index: number) => ({
    name: `${index}.jpg`,
    bytes: await sharp(randomBytes(2000 * 2000 * 3), { raw })
      .jpeg()
      .toBuffer(),
  })
  const uploads = await Promise.all(Array.from({ length: PHOTOS }, noise))
  await stranger.uploadPhotos(ownerKey, uploads, { totalIntendedPhotos: PHOTOS })
  await stranger.post(`/api/albums/${ownerKey}/settings`, { browsing: 'on' })
  const input = encodeURIComponent(JSON.stringify({ albumName }))
  let photos: string[] = []
  await waitUntil('the photos', async () => {
    const { body } = await stranger.get(`/trpc/albums.browse?input=${input}`)
    photos = (body.result?.data.photos ?? []).map(({ url }: { url: string }) => url)
    return photos.length === PHOTOS
  })
  const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]*/, '')
  let parts: { url: string; bytes: number }[] = []
  await waitUntil('the zip', async () => {
    const { body } = await stranger.post('/api/zips', { photos })
    parts = body.parts
    return parts.length > 0
  })
  expect(parts[0]!.bytes).toBeGreaterThan(PHOTOS * 3_000_000)
  return { photo: pathOf(photos[0]!), zip: pathOf(parts[0]!.url) }
}

/** How many ms each poll of a guest takes who connects anew, as a browser does that has just come. The polls begin also
 *  while earlier ones wait. */
async function msOfPolls(times = 10): Promise<number[]> {
  const headers = { 'x-forwarded-for': '198.19.7.7', cookie: guest.cookie(), connection: 'close' }
  const poll = async () => {
    const since = performance.now()
    const path = `/api/albums/${site.album.id}/progress`
    const { status } = await sendRaw(site.url, { method: 'GET', path, headers })
    expect(status).toBe(200)
    return performance.now() - since
  }
  const polls: Promise<number>[] = []
  for (let count = 0; count < times; count++) {
    polls.push(poll())
    await pause(100)
  }
  return await Promise.all(polls)
}

/** Some wait for seconds when it is not their turn to connect, so the median would not show it. */
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Opens connections whose answers nobody takes. */
function openConnections(count: number, path: string, requests: number): Promise<Pipeline[]> {
  const sent = { path, count: requests, address: STRANGER, reads: false }
  return Promise.all(Array.from({ length: count }, () => sendPipelined(site.url, sent)))
}

test.each([
  { what: '24,000 requests for a large photo on 600 connections', of: () => photo, count: 600, requests: 40 },
  { what: '400 zips', of: () => zip, count: 400, requests: 1 },
])('$what, whose answers nobody takes, do not delay a visitor who connects', async (attack) => {
  const idle = await msOfPolls()
  const opening = openConnections(attack.count, attack.of(), attack.requests)
  // The first of them come while all these connections are opened.
  const attacked = await msOfPolls(30)
  for (const one of await opening) one.hangUp()
  // What the attack has left behind must not count as usual.
  await pause(2_000)
  const usual = Math.max(mean(idle), mean(await msOfPolls()))
  // The same tolerance as in other-visitors.ts. Without turns this was 1,200 to 1,500 ms.
  expect(mean(attacked)).toBeLessThan(Math.max(5 * usual, 500))
})

test.each([
  { what: 'photo', of: () => photo, count: 100 },
  { what: 'zip', of: () => zip, count: 100 },
])('a guest gets a $what while others of the same network take theirs slowly', async ({ of, count }) => {
  const slow = await openConnections(count, of(), 1)
  const headers = { 'x-forwarded-for': STRANGER }
  const { status, text } = await sendRaw(site.url, { method: 'GET', path: of(), headers })
  expect([status, text.length > 1_000_000]).toEqual([200, true])
  for (const one of slow) one.readOn()
  await waitUntil('all answers', async () => slow.every((one) => one.bytes() > 3_000_000), 60_000)
  for (const one of slow) one.hangUp()
})

test('large photos that nobody takes delay nobody who is in an album, and leave no memory', async () => {
  await site.attack(async () => {
    const opened = await openConnections(600, photo, 40)
    await pause(1_000)
    for (const one of opened) one.hangUp()
  })
})
