import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../http/app.ts'
import { ARRIVAL_LIMITS } from '../http/arrival-limits.ts'
import type { ZipLimits } from '../http/zip-slots.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, type TestClient } from '../testing/client.ts'
import { waitUntil } from '../testing/wait.ts'
import { addZippedPhotos } from '../testing/zipped-photos.ts'
import { createZip } from '../zips/create-zip.ts'

const STRANGER = '198.18.0.1'
const GUEST = '198.18.0.2'

let service: TestApp
let owner: TestClient
/** Of four photos that are 12 MB together: more than the buffers of a connection. */
let addresses: string[]
let zip: { url: string; bytes: number }
/** A photo whose file cannot be made: its decoder never ends. */
let endless: string[]

beforeAll(async () => {
  const hangs = () => new Promise<never>(() => {})
  service = await startTestApp({ work: false })
  service.context.services.decoders.full = hangs
  owner = createClient(service.url)
  const { albumName } = await owner.createAlbum('Zips under attack')
  addresses = await addZippedPhotos(service, albumName, { count: 4, bytes: 3_000_000 })
  zip = (await makeZip(addresses)).parts[0]!
  const { albumName: other } = await owner.createAlbum('Endless')
  endless = await addZippedPhotos(service, other, { count: 8, bytes: 0 })
  await service.database.db
    .updateTable('photos')
    .set({ download_size: null, download_crc32: null })
    .where('size', '=', 0)
    .execute()
})
afterAll(() => service?.close())

async function makeZip(photos: string[]) {
  const { status, body } = await createClient(service.url).post('/api/zips', { photos })
  expect(status, body.message).toBe(200)
  return body as Awaited<ReturnType<typeof createZip>>
}

const from = (network: string) => ({ 'x-forwarded-for': network })

/** Connections that each ask for a zip, and never read it. */
async function idleSockets(url: string, network: string, zips: string[]): Promise<Socket[]> {
  return await Promise.all(
    zips.map(async (zipUrl) => {
      const request = `GET ${new URL(zipUrl).pathname} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${network}\r\n\r\n`
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      // The service closes it.
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.pause()
      socket.write(request)
      return socket
    }),
  )
}

test('a stranger who asks for zips of ever new lists of photos stores nothing', async () => {
  const { albumName } = await owner.createAlbum('Many')
  const many = await addZippedPhotos(service, albumName, { count: 500, bytes: 0 })
  const stored = async () => {
    const { rows } = await sql<{ bytes: number }>`
      select sum(pg_total_relation_size(relid))::int as bytes from pg_stat_user_tables`.execute(
      service.database.db,
    )
    return rows[0]!.bytes
  }
  await service.database.db.deleteFrom('rate_limits').execute()
  const before = await stored()
  for (let call = 0; call < 25; call++) expect((await makeZip(many.slice(call))).photosTotal).toBe(500 - call)
  expect((await stored()) - before).toBeLessThan(500_000)
})

/** A service of its own with other limits for zips. */
async function serviceWith(zips: Partial<ZipLimits>) {
  const app = await buildApp(service.context.services, {
    ...ARRIVAL_LIMITS,
    zips: { ...ARRIVAL_LIMITS.zips, ...zips },
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, url, zipUrl: url + new URL(zip.url).pathname }
}

test('while a stranger holds all slots of zips and takes no byte, a guest gets their zip', async () => {
  const { app, url, zipUrl } = await serviceWith({ atOnce: 100 })
  const idle = await idleSockets(url, STRANGER, Array(110).fill(zip.url))
  try {
    await waitUntil('all slots to be taken', async () => {
      const { status, body } = await fetch(zipUrl, { headers: from(STRANGER) })
      await body?.cancel()
      return status === 503
    })
    for (let download = 0; download < 3; download++) {
      const answer = await fetch(zipUrl, { headers: from(GUEST) })
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, zip.bytes])
    }
  } finally {
    for (const socket of idle) socket.destroy()
    await app.close()
  }
})

test('while a stranger holds all slots with ever new zips, a guest of the same network gets their zip', async () => {
  const { app, url, zipUrl } = await serviceWith({ atOnce: 10 })
  const subsets = Array.from({ length: 16 }, (_, bits) => addresses.filter((_, at) => bits & (1 << at)))
  const minted = await Promise.all(subsets.filter(({ length }) => length > 1).map(makeZip))
  const idle = await idleSockets(
    url,
    STRANGER,
    minted.map(({ parts }) => parts[0]!.url),
  )
  try {
    const download = (cookie?: string) =>
      fetch(zipUrl, { headers: { ...from(STRANGER), ...(cookie && { cookie }) } })
    await waitUntil('all slots to be taken', async () => {
      const { status, body } = await download()
      await body?.cancel()
      return status === 503
    })
    const answer = await download(owner.cookie())
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, zip.bytes])
  } finally {
    for (const socket of idle) socket.destroy()
    await app.close()
  }
})

test('a connection that takes no byte of a zip is closed, and one that takes bytes gets all', async () => {
  const { app, url, zipUrl } = await serviceWith({ rate: { graceMs: 5_000, bytesPerSecond: 100_000 } })
  /** A paused socket does not notice that it was closed, so the service is asked. */
  const open = new Set<Socket>()
  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const idle = await idleSockets(url, STRANGER, Array(5).fill(zip.url))
  await waitUntil('the connections', async () => open.size === 5)
  const answer = await fetch(zipUrl, { headers: from(STRANGER) })
  expect((await answer.arrayBuffer()).byteLength).toBe(zip.bytes)
  await waitUntil('the service to close the idle connections', async () => open.size <= 1)
  for (const socket of idle) socket.destroy()
  await app.close()
})

test('a range inside a photo that was hidden since is an answer, and no fault', async () => {
  const { db } = service.database
  const { url, bytes } = (await makeZip(addresses.slice(0, 2))).parts[0]!
  const hide = (state: 'hidden' | 'stored') =>
    db.updateTable('photos').set({ state }).where('size', '>', 0).execute()
  await hide('hidden')
  for (const start of [0, 100, Math.floor(bytes / 2), bytes - 100]) {
    const answer = await fetch(url, { headers: { range: `bytes=${start}-` } })
    expect([start, answer.status]).toEqual([start, 404])
  }
  await hide('stored')
  expect(service.logged).toEqual([])
})

/** Queries that wait for a lock. */
async function waitingForLock(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(service.database.db)
  return rows[0]!.count
}

test('a flood of HEAD requests for a zip leaves the database to others', async () => {
  // Slow queries, so that all requests of the flood are there at once.
  const { db } = service.database
  const asked = Promise.withResolvers<void>()
  const done = db.transaction().execute(async (trx) => {
    await sql`lock table photos in access exclusive mode`.execute(trx)
    await asked.promise
  })
  const head = () => fetch(zip.url, { method: 'HEAD', headers: from(STRANGER) })
  const flood = Array.from({ length: 100 }, head)
  try {
    await waitUntil('the flood', async () => (await waitingForLock()) >= 3)
    const other = await fetch(`${service.url}/api/albums/auth-status/nobody`, {
      signal: AbortSignal.timeout(60_000),
    })
    await other.arrayBuffer()
    expect(await waitingForLock()).toBe(3)
  } finally {
    asked.resolve()
    await done
  }
  // On a busy machine the last of them may have waited too long.
  for (const { status } of await Promise.all(flood)) expect([200, 503]).toContain(status)
})

test('a stranger whose photos take for ever holds neither their own calls nor the zips of others', async () => {
  const prepare = (network: string, photos: string[], hungUp = new AbortController().signal) =>
    createZip(
      service.context.services,
      { photos, partBytes: 2e9 },
      { origin: '', network, hungUp, countAlbums: async () => {} },
      500,
    )
  const hostile = await Promise.all(Array.from({ length: 20 }, () => prepare(STRANGER, endless)))
  for (const { parts, photosReady } of hostile) expect([parts, photosReady]).toEqual([[], 0])
  const { db } = service.database
  await db.updateTable('photos').set({ download_size: null }).where('size', '>', 0).execute()
  await waitUntil("the guest's zip", async () => (await prepare(GUEST, addresses)).parts.length > 0)
})
