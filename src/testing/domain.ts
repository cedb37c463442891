import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createAlbum } from '../albums/create.ts'
import { RATE_LIMITS, type RateLimits } from '../albums/rate-limits.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import type { DatabaseAddress, Db } from '../database/client.ts'
import type { JobSender } from '../database/jobs.ts'
import type { Album, Photo } from '../database/schema.ts'
import type { BothEngines } from '../faces/both-engines.ts'
import { claimAlbum } from '../faces/engine-queries.ts'
import { serviceUnavailable } from '../faces/errors.ts'
import type { IndexedPhoto } from '../faces/face-index.ts'
import { type Jobs, startJobs } from '../jobs/registry.ts'
import { createKeyring, type Keyring } from '../keyring.ts'
import { createLog, type Log } from '../log.ts'
import { type KeptLetters, keptLetters } from '../mail/outbox.ts'
import type { StagedFile } from '../photos/accept.ts'
import { createDecoders, type Decoders } from '../photos/decoders.ts'
import { createDiskStorage } from '../storage/disk.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { createFreeDisk, type FreeDisk } from '../storage/free-disk.ts'
import type { AlbumQuota } from '../uploads/quota.ts'
import { settleIndexed } from '../uploads/settle.ts'
import { createTestDatabase } from './database.ts'

/** What the code of albums, photos and searches needs: a real Postgres, a real disk and real queues. It has no face
 *  engine. */
export interface TestDomain {
  db: Db
  /** Of the same database, for tests of several processes. */
  address: DatabaseAddress
  storage: FileStorage
  /** Without a minimum. */
  freeDisk: FreeDisk
  decoders: Decoders
  keyring: Keyring
  /** Says nothing. */
  log: Log
  /** Always unavailable. */
  otherFaces: BothEngines['otherFaces']
  /** Empty. */
  outbox: KeptLetters
  /** Larger than any test. */
  albumQuota: AlbumQuota
  limits: RateLimits
  jobs: JobSender
  queue: Jobs
  newAlbum(displayName?: string): Promise<Album>
  /** Creates a file as an upload leaves it: a copy of the file at this path, or these bytes. */
  stage(source: string | Buffer, filename?: string): Promise<StagedFile>
  /** Records faces as if the embedded engine had found them. */
  settle(photo: Photo, found: IndexedPhoto): Promise<void>
  /** The payloads of the jobs that are waiting in a queue. */
  waiting(queue: string): Promise<object[]>
  dropWaiting(queue: string): Promise<void>
  close(): Promise<void>
}

export async function createTestDomain(): Promise<TestDomain> {
  const folder = await mkdtemp(join(tmpdir(), 'inframe-domain-'))
  const database = await createTestDatabase()
  const queue = await startJobs(database.address, createLog('silent'))
  const keyring = createKeyring(['a secret for tests, as long as a real one'])
  const { db } = database
  const log = createLog('silent')
  const decoders = createDecoders({ log })
  return {
    db,
    address: database.address,
    keyring,
    log,
    otherFaces: () => Promise.reject(serviceUnavailable()),
    outbox: keptLetters(join(folder, 'outbox')),
    albumQuota: { photos: 1_000_000, bytes: 1e12 },
    limits: RATE_LIMITS,
    queue,
    jobs: queue.sender,
    decoders,
    storage: await createDiskStorage(join(folder, 'files')),
    freeDisk: createFreeDisk({ folders: [folder], minimum: 0, log }),
    async newAlbum(albumName = 'Party') {
      const { album } = await createAlbum(
        { db, keyring },
        { email: 'owner@example.com', albumName },
        COMMAND_LINE,
      )
      return album
    },
    async stage(source, filename) {
      const bytes = typeof source === 'string' ? await readFile(source) : source
      const name = filename ?? (typeof source === 'string' ? basename(source) : 'photo.jpg')
      return await stageFile(folder, bytes, name)
    },
    async settle(photo, found) {
      await claimAlbum(db, photo.album_id, 'embedded')
      await settleIndexed({ db, keyring, jobs: queue.sender }, { photo, found, engine: 'embedded' })
    },
    async waiting(name) {
      const jobs = await queue.boss.findJobs(name)
      return jobs.map((job) => job.data as object)
    },
    async dropWaiting(name) {
      await queue.boss.deleteQueuedJobs(name)
    },
    async close() {
      await queue.stop()
      await decoders.close()
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}

/** Creates a file of these bytes in a folder, as an upload leaves it. */
export async function stageFile(folder: string, bytes: Buffer, filename: string): Promise<StagedFile> {
  const path = join(folder, randomUUID())
  await writeFile(path, bytes)
  const sha256 = createHash('sha256').update(bytes).digest()
  return { filename, path, size: bytes.length, sha256, tooLarge: false }
}
