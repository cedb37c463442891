import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFault } from '../../database/faults.ts'
import { createLog } from '../../log.ts'
import { domainOfFile } from '../../testing/domain.ts'
import { recordPhotos } from '../../testing/recorded-faces.ts'
import { BYTES_OF_FACE } from './album-in-memory.ts'
import type { AlbumSearch, PersonFaces } from './album-search.ts'
import { DESCRIPTOR_LENGTH } from './descriptors.ts'
import { createSearchThread, type SearchThreadOptions } from './search-thread.ts'

const DYING = new URL('../../testing/dying-search-worker.ts', import.meta.url)
const probe = new Float32Array(DESCRIPTOR_LENGTH).fill(0.1)

const domain = await domainOfFile()
let albumId: string
const threads: AlbumSearch[] = []

beforeEach(async () => {
  albumId = (await domain.newAlbum()).id
})
afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()))
})

function begin(options: Partial<SearchThreadOptions> = {}): AlbumSearch {
  const limits = { maxBytes: 100_000 * BYTES_OF_FACE }
  const thread = createSearchThread({ address: domain.address, log: createLog('silent'), limits, ...options })
  threads.push(thread)
  return thread
}

/** Saves so many photos of one person. */
async function save(count: number): Promise<string[]> {
  const photos = await recordPhotos(
    domain.db,
    albumId,
    Array.from({ length: count }, () => [probe]),
  )
  return photos.map(({ photoId }) => photoId)
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
  const sizes = [100_000 * BYTES_OF_FACE, 300 * BYTES_OF_FACE, 1]
  const processes = sizes.map((maxBytes) => begin({ limits: { maxBytes } }))
  const count = { adding: 0, added: 0, removing: 0, removed: 0 }
  let isGrowing = true
  const grow = async () => {
    for (let photo = 0; photo < 250; photo++) {
      count.adding += 1
      const photoIds = await save(1)
      count.added += 1
      if (photo % 5 !== 0) continue
      count.removing += 1
      await domain.db.deleteFrom('photos').where('id', 'in', photoIds).execute()
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
  expect(await Promise.all(processes.map(countFound))).toEqual([200, 200, 200])
})

test.each(['ends', 'throws'])(
  'when the thread %s, its searches fail as unavailable, and the next one starts another thread',
  async (cause) => {
    const lines: string[] = []
    const log = createLog('error', { write: (line) => void lines.push(line) })
    await save(2)
    const thread = begin({ program: DYING, log })
    const searches = [thread.search([albumId], person), thread.search([cause], person)]
    expect(await Promise.allSettled(searches)).toMatchObject(
      Array(2).fill({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } }),
    )
    expect(await countFound(thread)).toBe(2)
    expect(lines).toHaveLength(1)
  },
)

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
