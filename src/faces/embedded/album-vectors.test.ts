import { totalmem } from 'node:os'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPool } from '../../database/client.ts'
import { domainOfFile } from '../../testing/domain.ts'
import { recordPhotos } from '../../testing/recorded-faces.ts'
import { randomNumbers } from '../../testing/synthetic-people.ts'
import { BYTES_OF_FACE, numbersNear } from './album-in-memory.ts'
import { type AlbumVectors, bytesForAlbums, createAlbumVectors, type VectorLimits } from './album-vectors.ts'
import { bytesOf, DESCRIPTOR_LENGTH, descriptorOf } from './descriptors.ts'
import { distanceOf } from './matching/query-embedding.ts'

const probe = new Float32Array(DESCRIPTOR_LENGTH)

const domain = await domainOfFile()
let albumId: string
let opened: { pool: pg.Pool; vectors: AlbumVectors }[] = []

beforeEach(async () => {
  albumId = await newAlbum(0)
})
afterEach(async () => {
  for (const { pool, vectors } of opened) {
    vectors.close()
    await pool.end()
  }
  opened = []
})

/** Two of them over one database act like two processes. */
function begin(limits: Partial<VectorLimits> = {}): AlbumVectors {
  const pool = createPool(domain.address, () => {}, 5, 'album vectors')
  const vectors = createAlbumVectors(pool, { maxBytes: 1_000 * BYTES_OF_FACE, ...limits })
  opened.push({ pool, vectors })
  return vectors
}

async function newAlbum(faces: number): Promise<string> {
  const { id } = await domain.newAlbum()
  await add(id, faces)
  return id
}

/** A photo for each face. */
const add = (id: string, faces: number) =>
  recordPhotos(
    domain.db,
    id,
    Array.from({ length: faces }, () => [probe]),
  )

const count = async (vectors: AlbumVectors, id = albumId) => (await vectors.near(id, [probe], 0.5)).count

test('takes an eighth of the memory, of the container if it has less than the machine', () => {
  const limit = vi.spyOn(process, 'constrainedMemory')
  for (const [bytes, expected] of [
    [2e9, 2.5e8],
    // Without a limit, by Node's manual and as measured.
    [0, totalmem() / 8],
    [2 ** 64, totalmem() / 8],
  ] as const) {
    limit.mockReturnValueOnce(bytes)
    expect(bytesForAlbums()).toBe(expected)
  }
})

test('finds within any distance what comparing every number finds, in memory of any size', async () => {
  const next = randomNumbers(2)
  const one = Float32Array.from({ length: DESCRIPTOR_LENGTH }, () => next() - 0.5)
  const other = one.map((value) => value + 0.01)
  // From almost 0 to far away.
  const stored = Array.from({ length: 1_500 }, (_, place) =>
    one.map((value) => value + (next() - 0.5) * 0.3 * (place / 1_500)),
  )
  await recordPhotos(
    domain.db,
    albumId,
    stored.map((descriptor) => [descriptor]),
  )
  for (const distance of [0, 0.125, 0.5, 0.69, Number.POSITIVE_INFINITY]) {
    const isNear = (descriptor: Float32Array) =>
      [one, other].some((searched) => distanceOf(descriptorOf(bytesOf(descriptor)), searched) <= distance)
    const expected = stored.filter(isNear).length
    for (const faces of [10_000, 1_000, 0]) {
      const vectors = begin({ maxBytes: faces * BYTES_OF_FACE })
      const found = await vectors.near(albumId, [one, other], distance)
      expect(new Set(numbersNear(found, [one, other], distance)).size).toBe(expected)
      expect(found.count).toBe(expected)
    }
  }
})

test('adds what another process has recorded, without loading the rest again', async () => {
  const vectors = begin()
  await add(albumId, 5)
  expect(await count(vectors)).toBe(5)
  // Nobody does this: it shows what is read.
  const far = bytesOf(probe.map(() => 0.4))
  await domain.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    await trx.updateTable('faces').set({ descriptor: far }).where('album_id', '=', albumId).execute()
  })
  await add(albumId, 1)
  expect(await count(vectors)).toBe(6)
  expect(await count(vectors)).toBe(6)
  expect(await count(begin())).toBe(1)
})

test.each([
  ['deletes faces', (id: string) => sql`delete from faces where photo_id = ${id}`],
  ['deletes photos', (id: string) => sql`delete from photos where id = ${id}`],
  ['erases descriptors', (id: string) => sql`update faces set descriptor = null where photo_id = ${id}`],
] as const)('drops an album of which another process %s', async (_, change) => {
  const vectors = begin()
  const kept = await newAlbum(1)
  const [gone] = await add(albumId, 3)
  expect([await count(vectors), await count(vectors, kept)]).toEqual([3, 1])
  await change(gone!.photoId).execute(domain.db)
  await expect.poll(() => vectors.has(albumId)).toBe(false)
  expect(vectors.has(kept)).toBe(true)
  expect(await count(vectors)).toBe(2)
})

test('an album that is dropped while it loads is read to its end, and not kept', async () => {
  const vectors = begin()
  await add(albumId, 3)
  const searching = await domain.db.transaction().execute(async (trx) => {
    await sql`lock table faces in access exclusive mode`.execute(trx)
    const searching = count(vectors)
    await expect.poll(() => vectors.has(albumId)).toBe(true)
    vectors.drop(albumId)
    return { searching }
  })
  expect(await searching.searching).toBe(3)
  expect(vectors.has(albumId)).toBe(false)
})

test('when the connection is lost that hears of removed faces, everything is loaded again', async () => {
  const vectors = begin()
  await add(albumId, 3)
  expect(await count(vectors)).toBe(3)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'album vectors' and query like 'listen%'`.execute(
    domain.db,
  )
  await expect.poll(() => vectors.has(albumId)).toBe(false)
  await expect.poll(() => count(vectors).catch(() => 0)).toBe(3)
})

test('a connection that is lost after the end is no fault', async () => {
  const vectors = begin()
  let listener: pg.PoolClient | undefined
  opened[0]!.pool.once('acquire', (client) => (listener = client))
  await count(vectors)
  vectors.close()
  await new Promise(setImmediate)
  expect(() => listener!.emit('error', new Error('terminating connection'))).not.toThrow()
})

test('holds no more than its limit: the least recently used album goes', async () => {
  const vectors = begin({ maxBytes: 5 * BYTES_OF_FACE })
  const ids = [await newAlbum(2), await newAlbum(2), await newAlbum(2)] as const
  const [a, b, c] = ids
  for (const id of [a, b, a, c]) expect(await count(vectors, id)).toBe(2)
  expect(ids.map(vectors.has)).toEqual([true, false, true])
})

test('an album larger than the limit is read for each search, and stays out', async () => {
  const vectors = begin({ maxBytes: 4 * BYTES_OF_FACE })
  const small = await newAlbum(2)
  await add(albumId, 3)
  expect(await count(vectors)).toBe(3)
  expect(vectors.has(albumId)).toBe(true)
  await add(albumId, 4)
  for (let times = 0; times < 2; times++) expect(await count(vectors)).toBe(7)
  expect(vectors.has(albumId)).toBe(false)
  expect(await count(vectors, small)).toBe(2)
})

test('searches at the same time load albums once, and stay within the limit together', async () => {
  const vectors = begin({ maxBytes: 6 * BYTES_OF_FACE })
  const ids = [await newAlbum(4), await newAlbum(4), await newAlbum(4)]
  const found = await Promise.all([...ids, ...ids].map((id) => count(vectors, id)))
  expect(found).toEqual([4, 4, 4, 4, 4, 4])
  expect(ids.filter(vectors.has).length).toBeLessThanOrEqual(1)
})

test('forgets an album that nobody searches for an hour', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  try {
    const vectors = begin()
    await add(albumId, 2)
    for (let times = 0; times < 3; times++) {
      expect(await count(vectors)).toBe(2)
      vi.advanceTimersByTime(59 * 60_000)
    }
    expect(vectors.has(albumId)).toBe(true)
    vi.advanceTimersByTime(2 * 60_000)
    expect(vectors.has(albumId)).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})
