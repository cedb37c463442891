import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, type TestClient } from '../testing/client.ts'
import { waitUntil } from '../testing/wait.ts'
import { addZippedPhotos } from '../testing/zipped-photos.ts'
import { createZip } from '../zips/create-zip.ts'
import { buildApp } from './app.ts'
import { ARRIVAL_LIMITS } from './arrival-limits.ts'
import type { ZipLimits } from './zip-slots.ts'

const STRANGER = '198.18.0.1'
const GUEST = '198.18.0.2'

let service: TestApp
let owner: TestClient
/** Of four photos that are 12 MB together: more than the buffers of a connection. */
let addresses: string[]
let zip: { url: string; bytes: number }

beforeAll(async () => {
  service = await startTestApp({ work: false })
  owner = createClient(service.url)
  const { albumName } = await owner.createAlbum('Many downloads')
  addresses = await addZippedPhotos(service, albumName, { count: 4, bytes: 3_000_000 })
  const { status, body } = await owner.post('/api/zips', { photos: addresses })
  expect(status).toBe(200)
  zip = body.parts[0]
})
afterAll(() => service?.close())

const from = (network: string) => ({ 'x-forwarded-for': network })

/** A connection that asks for the zip, and reads it only when it is told to. */
async function idleDownload(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  // The service closes it.
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.pause()
  const path = new URL(zip.url).pathname
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${STRANGER}\r\n\r\n`)
  return socket
}

/** A service of its own with other limits for zips. */
async function serviceWith(zips: Partial<ZipLimits>) {
  const app = await buildApp(service.context.services, {
    ...ARRIVAL_LIMITS,
    zips: { ...ARRIVAL_LIMITS.zips, ...zips },
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  return { app, url, zipUrl: url + new URL(zip.url).pathname }
}

test('while one network has all slots and takes no byte, a guest of another gets their zip', async () => {
  const { url, zipUrl } = await serviceWith({ atOnce: 3 })
  // Each has its slot when its answer begins.
  for (let count = 0; count < 3; count++) await once(await idleDownload(url), 'readable')
  expect((await fetch(zipUrl, { headers: from(STRANGER) })).status).toBe(503)
  const answer = await fetch(zipUrl, { headers: from(GUEST) })
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, zip.bytes])
})

test('a connection that takes no byte of a zip is closed, and one that takes bytes gets all', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { app, url } = await serviceWith({ rate: { graceMs: 1_000, bytesPerSecond: 1 } })
  /** The service's side of each: a paused socket does not notice that it was closed. */
  const open: Socket[] = []
  app.server.on('connection', (socket) => open.push(socket))
  await idleDownload(url)
  const taking = await idleDownload(url)
  const bothAreOpen = () => open.every(({ destroyed }) => !destroyed)
  await waitUntil('the buffers of both to be full', async () => {
    return open.length === 2 && open.every((socket) => socket.bytesWritten > 0 && socket.writableNeedDrain)
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(bothAreOpen()).toBe(true)

  const before = open[1]!.bytesWritten
  let taken = 0
  taking.on('data', (bytes) => {
    taken += bytes.length
  })
  taking.resume()
  await waitUntil('some bytes', async () => open[1]!.bytesWritten > before)
  await vi.advanceTimersByTimeAsync(1_000)
  await waitUntil('all bytes', async () => taken > zip.bytes)
  await waitUntil('the end of the idle one', async () => {
    await vi.advanceTimersByTimeAsync(1_000)
    return open[0]!.destroyed
  })
})

/** Queries that wait for a lock. */
async function waitingForLock(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(service.database.db)
  return rows[0]!.count
}

test('a flood of HEAD requests for a zip leaves the database to others', async () => {
  const { db } = service.database
  const asked = Promise.withResolvers<void>()
  // Holds the queries, so that all requests of the flood are there at once.
  const done = db.transaction().execute(async (trx) => {
    await sql`lock table photos in access exclusive mode`.execute(trx)
    await asked.promise
  })
  const head = () => fetch(zip.url, { method: 'HEAD', headers: from(STRANGER) })
  const flood = Array.from({ length: 100 }, head)
  try {
    await waitUntil('the flood', async () => (await waitingForLock()) >= 3)
    const other = await fetch(`${service.url}/api/albums/auth-status/nobody`)
    await other.arrayBuffer()
    expect(await waitingForLock()).toBe(3)
  } finally {
    asked.resolve()
    await done
  }
  // On a busy machine the last of them may have waited too long.
  for (const { status } of await Promise.all(flood)) expect([200, 503]).toContain(status)
})

test('a network whose photos take for ever does not hold up the zips of another', async () => {
  const { services } = service.context
  const { db } = service.database
  const { albumName } = await owner.createAlbum('Endless')
  const endless = await addZippedPhotos(service, albumName, { count: 4, bytes: 0 })
  const forget = (size: '=' | '>') =>
    db.updateTable('photos').set({ download_size: null }).where('size', size, 0).execute()
  await forget('=')
  const neverEnds = Promise.withResolvers<never>()
  const deps = { ...services, decoders: { ...services.decoders, full: () => neverEnds.promise } }
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const prepare = (network: string, photos: string[]) =>
    createZip(deps, { photos, partBytes: 2e9 }, { origin: '', network, hungUp: leaving.signal })
  const held = Array.from({ length: 5 }, () => prepare(STRANGER, endless))
  await forget('>')
  expect((await prepare(GUEST, addresses)).parts).toHaveLength(1)
  leaving.abort()
  for (const { parts, photosReady } of await Promise.all(held)) expect([parts, photosReady]).toEqual([[], 0])
})
