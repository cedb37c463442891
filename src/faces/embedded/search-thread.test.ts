import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { databaseFault } from '../../database/faults.ts'
import { createLog } from '../../log.ts'
import { createTestDomain, type TestDomain } from '../../testing/domain.ts'
import type { AlbumSearch, PersonFaces } from './album-search.ts'
import { DESCRIPTOR_LENGTH } from './descriptor-store.ts'
import { bytesOfFaces } from './face-codes.ts'
import { createPostgresDescriptorStore } from './postgres-descriptor-store.ts'
import { createSearchThread, type SearchThreadOptions } from './search-thread.ts'

const DYING = new URL('../../testing/dying-search-worker.ts', import.meta.url)
const probe = new Float32Array(DESCRIPTOR_LENGTH).fill(0.1)

let domain: TestDomain
let store: ReturnType<typeof createPostgresDescriptorStore>
let albumId: string
const threads: AlbumSearch[] = []

beforeAll(async () => {
  domain = await createTestDomain()
  store = createPostgresDescriptorStore(domain.db)
})
afterAll(() => domain?.close())
beforeEach(async () => {
  albumId = (await domain.newAlbum()).id
  await store.createCollection(albumId)
})
afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()))
})

function begin(options: Partial<SearchThreadOptions> = {}): AlbumSearch {
  const limits = { maxBytes: bytesOfFaces(100_000) }
  const thread = createSearchThread({ address: domain.address, log: createLog('silent'), limits, ...options })
  threads.push(thread)
  return thread
}

/** Saves so many photos of one person. */
async function save(count: number): Promise<string[]> {
  const photoIds = Array.from({ length: count }, () => randomUUID())
  for (const photoId of photoIds)
    await store.savePhoto(albumId, photoId, [{ faceId: randomUUID(), descriptor: probe }])
  return photoIds
}

const person: PersonFaces = {
  selfies: [{ descriptor: probe, strictness: 0 }],
  confirmed: [],
  rejected: [],
}

async function countFound(thread: AlbumSearch): Promise<number> {
  return (await thread.search([albumId], person)).get(albumId)!.sure.length
}

test('while an album grows and shrinks, every search is complete, in a cache of any size', async () => {
  const sizes = [bytesOfFaces(100_000), bytesOfFaces(300), 1]
  const processes = sizes.map((maxBytes) => begin({ limits: { maxBytes } }))
  const count = { adding: 0, added: 0, removing: 0, removed: 0 }
  let isGrowing = true
  const grow = async () => {
    for (let photo = 0; photo < 600; photo++) {
      count.adding += 1
      const photoIds = await save(1)
      count.added += 1
      if (photo % 5 !== 0) continue
      count.removing += 1
      await store.removePhotos(albumId, photoIds)
      count.removed += 1
    }
    isGrowing = false
  }
  const look = async (thread: AlbumSearch) => {
    while (isGrowing) {
      const { added, removed } = count
      const found = await countFound(thread)
      expect(found).toBeGreaterThanOrEqual(added - count.removing)
      expect(found).toBeLessThanOrEqual(count.adding - removed)
    }
  }
  await Promise.all([grow(), ...processes.map(look)])
  expect(await Promise.all(processes.map(countFound))).toEqual([480, 480, 480])
})

test('after the death of the thread its searches are done by another one', async () => {
  await save(2)
  const thread = begin({ program: DYING })
  await writeFile(join(tmpdir(), albumId), '')
  expect(await Promise.all([countFound(thread), countFound(thread), countFound(thread)])).toEqual([2, 2, 2])
  await expect(access(join(tmpdir(), albumId))).rejects.toThrow()
  expect(await countFound(thread)).toBe(2)
})

test.each(['ends', 'throws'])(
  'when the thread %s twice, its search fails, and the next one works',
  async (cause) => {
    const lines: string[] = []
    const log = createLog('error', { write: (line) => void lines.push(line) })
    await save(2)
    const thread = begin({ program: DYING, log })
    await expect(thread.search([cause], person)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await countFound(thread)).toBe(2)
    expect(lines).toHaveLength(2)
  },
)

test('the thread ends when nobody searches, and starts again', async () => {
  await save(2)
  const posting = vi.spyOn(Worker.prototype, 'postMessage')
  const thread = begin({ limits: { maxBytes: 1e6, maxIdleMs: 300 } })
  expect(await countFound(thread)).toBe(2)
  const worker = posting.mock.contexts[0] as Worker
  if (worker.threadId !== -1) await once(worker, 'exit')
  expect(await countFound(thread)).toBe(2)
  expect(posting.mock.contexts.at(-1)).not.toBe(worker)
  posting.mockRestore()
})

test('after its connections were lost it opens new ones', async () => {
  await save(2)
  const thread = begin()
  await countFound(thread)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name = 'inframe search'`.execute(
    domain.db,
  )
  await expect.poll(() => countFound(thread).catch(() => 0)).toBe(2)
})

test('a database that is away is reported as such, and preparing says nothing', async () => {
  const thread = begin({ address: { ...domain.address, host: '/nowhere' } })
  thread.prepare([albumId])
  const error = await thread.search([albumId], person).catch((error: unknown) => error)
  expect(databaseFault(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})
