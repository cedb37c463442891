import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createAlbum } from '../albums/create.ts'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { loadConfig } from '../config.ts'
import { type AppContext, fromConfig } from '../context.ts'
import type { DatabaseAddress } from '../database/client.ts'
import type { Album, Photo } from '../database/schema.ts'
import { claimAlbum } from '../faces/engine-queries.ts'
import { serviceUnavailable } from '../faces/errors.ts'
import type { IndexedPhoto } from '../faces/face-index.ts'
import { createLog } from '../log.ts'
import type { StagedFile } from '../photos/accept.ts'
import { settleIndexed } from '../uploads/settle.ts'
import { createTestDatabase } from './database.ts'

/** What the code of albums, photos and searches needs: a real Postgres, a real disk and real queues. It has no other face
 *  engine, and no limit that a test could reach. */
export interface TestDomain extends AppContext {
  /** Of the same database, for tests of several processes. */
  address: DatabaseAddress
  newAlbum(displayName?: string): Promise<Album>
  /** Creates a file as an upload leaves it: a copy of the file at this path, or these bytes. */
  stage(source: string | Buffer, filename?: string): Promise<StagedFile>
  /** Records faces as if the embedded engine had found them. */
  settle(photo: Photo, found: IndexedPhoto): Promise<void>
  /** The payloads of the jobs that are waiting in a queue. */
  waiting(queue: string): Promise<object[]>
  dropWaiting(queue: string): Promise<void>
}

export async function createTestDomain(): Promise<TestDomain> {
  const folder = await mkdtemp(join(tmpdir(), 'inframe-domain-'))
  const database = await createTestDatabase()
  const { address } = database
  const config = loadConfig({
    DATA_DIR: folder,
    SECRET_KEY: 'a secret for tests that is as long as a real one',
    DISK_FREE_MIN_MB: '0',
  })
  const log = createLog('silent')
  const context = await fromConfig(config, {
    database: address,
    log,
    limits: RATE_LIMITS,
    facesStartLate: true,
  })
  const { db, jobs } = context
  return {
    ...context,
    address,
    otherFaces: () => Promise.reject(serviceUnavailable()),
    albumQuota: { photos: 1_000_000, bytes: 1e12 },
    async newAlbum(albumName = 'Party') {
      const { album } = await createAlbum(context, { email: 'owner@example.com', albumName }, COMMAND_LINE)
      return album
    },
    async stage(source, filename) {
      const bytes = typeof source === 'string' ? await readFile(source) : source
      const name = filename ?? (typeof source === 'string' ? basename(source) : 'photo.jpg')
      return await stageFile(folder, bytes, name)
    },
    async settle(photo, found) {
      await claimAlbum(db, photo.album_id, 'embedded')
      await settleIndexed(context, { photo, found, engine: 'embedded' })
    },
    async waiting(name) {
      const waiting = await jobs.boss.findJobs(name)
      return waiting.map((job) => job.data as object)
    },
    async dropWaiting(name) {
      await jobs.boss.deleteQueuedJobs(name)
    },
    async close() {
      await context.close()
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}

/** Creates a file of these bytes in a folder, as an upload leaves it. */
async function stageFile(folder: string, bytes: Buffer, filename: string): Promise<StagedFile> {
  const path = join(folder, randomUUID())
  await writeFile(path, bytes)
  const sha256 = createHash('sha256').update(bytes).digest()
  return { filename, path, size: bytes.length, sha256, tooLarge: false }
}

export let domain: TestDomain
export let album: Album

/** Starts a test domain for a test file, and creates an album for each of its tests. */
export function newAlbumForEachTest(): void {
  beforeAll(async () => {
    domain = await createTestDomain()
  })
  afterAll(() => domain?.close())
  beforeEach(async () => {
    album = await domain.newAlbum()
  })
}

/** A test domain for the tests of a file, which ends with them. */
export async function domainOfFile(): Promise<TestDomain> {
  const started = await createTestDomain()
  afterAll(() => started.close())
  return started
}
