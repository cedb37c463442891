import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { createDb, type Db } from '../../src/database/client.ts'
import { migrateToLatest } from '../../src/database/migrate.ts'
import type { AlbumSearch } from '../../src/faces/embedded/album-search.ts'
import { createEmbeddedFaceIndex } from '../../src/faces/embedded/embedded-face-index.ts'
import type { DescribedFace } from '../../src/faces/embedded/networks/engine.ts'
import type { FaceWorkers } from '../../src/faces/embedded/networks/face-workers.ts'
import type { FaceIndex } from '../../src/faces/face-index.ts'
import type { JobDeps } from '../../src/jobs/define-queue.ts'
import { startJobs } from '../../src/jobs/registry.ts'
import { createLog } from '../../src/log.ts'
import { createMetrics } from '../../src/metrics.ts'
import { createLimiter } from '../../src/processes/limiter.ts'
import { createDiskStorage } from '../../src/storage/disk.ts'
import { indexedFace } from '../../src/testing/indexed-face.ts'
import { median } from '../../src/testing/median.ts'
import { undoLater } from './cleanup.ts'
import { postgresMs } from './postgres-ms.ts'
import { figure, printTable } from './report.ts'
import { makeDataFolder, startPostgres } from './server-process.ts'
import { storeAlbum } from './stored-album.ts'

const PHOTOS = 500
const RUNS_OF_EACH = 3
const FACES = 3
/** Four times as fast as today's native engine, which takes about 120 ms for most photos and a second for a crowd. */
const ENGINE_MS = { most: 30, crowd: 250 }

/** What the jobs of one run have cost. */
interface Cost {
  seconds: number
  /** Sent to Postgres by this process. */
  statements: number
  transactions: number
  /** Processor time of this process, and of Postgres. */
  ownMs: number
  postgresMs: number
}

interface Surroundings {
  db: Db
  folder: string
  databaseUrl: string
  meter: Meter
}

/** Measures how many photos one process indexes when the face engine answers at once: what the queue, the descriptors and
 *  the settling cost. The yardstick is jobs of a bare pg-boss that do nothing. Then the engine takes its time, and the
 *  bench measures how much of that time the engine had to wait. */
export async function benchJobs(): Promise<void> {
  const folder = await makeDataFolder()
  const databaseUrl = await startPostgres(folder)
  const db = createDb({ connectionString: databaseUrl }, () => {})
  undoLater(() => db.destroy())
  await migrateToLatest(db)
  const surroundings = { db, folder, databaseUrl, meter: meterOf(db) }

  const runs: Record<string, (surroundings: Surroundings) => Promise<Cost>> = {
    'bare pg-boss jobs': runBareJobs,
    'photos, no engine': (all) => indexPhotos(all, noEngine(db)),
    'photos, embedded engine': (all) => indexPhotos(all, embeddedEngine(db, answersAtOnce)),
  }
  const costs = new Map<string, Cost[]>(Object.keys(runs).map((name) => [name, []]))
  for (let number = 0; number < RUNS_OF_EACH; number++)
    for (const [name, run] of Object.entries(runs)) costs.get(name)!.push(await run(surroundings))
  const bare = perSecond(costs.get('bare pg-boss jobs')!)
  console.log(
    `Jobs of one process, ${PHOTOS} in each run, median of ${RUNS_OF_EACH} runs; ms of processor time:`,
  )
  printTable(
    ['', 'jobs/s', '÷ bare', 'statements a job', 'transactions a job', 'own ms a job', 'Postgres ms a job'],
    [...costs].map(([name, all]) => [
      name,
      figure(perSecond(all)),
      figure(perSecond(all) / bare),
      ...(['statements', 'transactions', 'ownMs', 'postgresMs'] as const).map((what) =>
        figure(median(all.map((cost) => cost[what])) / PHOTOS),
      ),
    ]),
  )

  const cores = availableParallelism()
  const { describe, busyMs } = takesItsTime(cores)
  const { seconds } = await indexPhotos(surroundings, embeddedEngine(db, describe))
  console.log(
    `With ${cores} engines that take ${ENGINE_MS.most} ms, and ${ENGINE_MS.crowd} ms for every 20th photo: ` +
      `${figure(PHOTOS / seconds)} photos/s, engines busy ${Math.round((busyMs() / (cores * seconds * 1_000)) * 100)}% of the time`,
  )
}

const perSecond = (costs: Cost[]) => PHOTOS / median(costs.map(({ seconds }) => seconds))

async function runBareJobs({ databaseUrl, meter }: Surroundings): Promise<Cost> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 3, useListenNotify: true })
  await boss.start()
  await boss.createQueue('bare', { notify: true })
  await boss.insert(
    'bare',
    Array.from({ length: PHOTOS }, (_, number) => ({ data: { number } })),
  )
  const finished = Promise.withResolvers<void>()
  let left = PHOTOS
  const cost = await meter(async () => {
    const options = { batchSize: 4, localConcurrency: 2, burstWhenBatchFull: true }
    await boss.work('bare', options, async (jobs) => {
      left -= jobs.length
      if (left === 0) finished.resolve()
    })
    await finished.promise
  })
  await boss.stop({ graceful: true })
  return cost
}

async function indexPhotos(
  { db, folder, databaseUrl, meter }: Surroundings,
  faces: FaceIndex,
): Promise<Cost> {
  const log = createLog('warn')
  const storage = await createDiskStorage(`${folder}/files`)
  const jobs = await startJobs({ connectionString: databaseUrl }, log)
  const albumId = await storeAlbum({ db, storage, jobs: jobs.sender }, PHOTOS)
  const metrics = createMetrics(
    { queues: async () => [], photos: async () => ({}), decoders: () => ({ waiting: 0, running: 0 }) },
    () => {},
  )
  const deps = { db, storage, faces, jobs: jobs.sender, log, metrics } as Partial<JobDeps> as JobDeps
  const cost = await meter(async () => {
    await jobs.work(deps)
    await untilSettled(db, albumId)
  })
  await jobs.stop()
  return cost
}

async function untilSettled(db: Db, albumId: string): Promise<void> {
  const settled = () =>
    db.selectFrom('albums').select('photos_settled').where('id', '=', albumId).executeTakeFirstOrThrow()
  while ((await settled()).photos_settled < PHOTOS) await pause(50)
}

/** Finds faces at once, and stores nothing. */
function noEngine(db: Db): FaceIndex {
  return {
    ...embeddedEngine(db, answersAtOnce),
    async indexPhoto(_albumId, _photoId, photo) {
      await photo.read()
      return { faces: Array.from({ length: FACES }, indexedFace), unindexed: [] }
    },
  }
}

/** The embedded index as it is, with engines that only pretend to search. */
function embeddedEngine(db: Db, describe: () => Promise<DescribedFace[]>): FaceIndex {
  const workers: FaceWorkers = {
    describePhoto: async () => ({ faces: await describe(), unindexed: [] }),
    describeSelfie: async () => ({ faces: [], searched: 0, described: undefined, unindexed: [] }),
    start: async () => {},
    isDown: () => false,
    close: async () => {},
  }
  const albums: AlbumSearch = { search: async () => new Map(), prepare: () => {}, close: async () => {} }
  return createEmbeddedFaceIndex({ db, albums, workers })
}

async function answersAtOnce(): Promise<DescribedFace[]> {
  return Array.from({ length: FACES }, () => ({
    ...indexedFace(),
    descriptor: Float32Array.from({ length: 128 }, Math.random),
  }))
}

/** Engines that need time. */
function takesItsTime(engines: number) {
  const gate = createLimiter({ running: engines })
  let photos = 0
  let busyMs = 0
  const describe = () =>
    gate.run('', async () => {
      const began = performance.now()
      await pause(photos++ % 20 === 0 ? ENGINE_MS.crowd : ENGINE_MS.most)
      busyMs += performance.now() - began
      return await answersAtOnce()
    })
  return { describe, busyMs: () => busyMs }
}

type Meter = (work: () => Promise<void>) => Promise<Cost>

/** Measures pieces of work, one after the other. */
function meterOf(db: Db): Meter {
  const sent = countStatements()
  return async (work) => {
    const postgresBefore = await postgresMs(db)
    const before = { ...sent }
    const cpu = process.cpuUsage()
    const start = performance.now()
    await work()
    const seconds = (performance.now() - start) / 1_000
    const { user, system } = process.cpuUsage(cpu)
    return {
      seconds,
      statements: sent.statements - before.statements,
      transactions: sent.transactions - before.transactions,
      ownMs: (user + system) / 1_000,
      postgresMs: (await postgresMs(db)) - postgresBefore,
    }
  }
}

/** Counts what this process sends to Postgres, from now on. */
function countStatements(): { statements: number; transactions: number } {
  const sent = { statements: 0, transactions: 0 }
  const { query } = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
  const counting = function (this: pg.Client, ...args: unknown[]) {
    sent.statements++
    if (args[0] === 'begin' || (args[0] as { text?: string })?.text === 'begin') sent.transactions++
    return query.apply(this, args)
  }
  pg.Client.prototype.query = counting as typeof pg.Client.prototype.query
  return sent
}
