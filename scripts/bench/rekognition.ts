import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createDb, type Db } from '../../src/database/client.ts'
import { migrateToLatest } from '../../src/database/migrate.ts'
import type { PhotoState } from '../../src/database/schema.ts'
import { createFaceRecords } from '../../src/faces/rekognition/face-records.ts'
import { createGovernor } from '../../src/faces/rekognition/governor.ts'
import { createQuotaStore } from '../../src/faces/rekognition/quota-store.ts'
import { createRekognitionFaceIndex } from '../../src/faces/rekognition/rekognition-face-index.ts'
import { startJobs } from '../../src/jobs/registry.ts'
import { createLog } from '../../src/log.ts'
import { createDiskStorage } from '../../src/storage/disk.ts'
import { inMemory } from '../../src/testing/photo-source.ts'
import { randomFaults } from '../../src/testing/rekognition/faults.ts'
import { PICTURES_HERE } from '../../src/testing/rekognition/index-on.ts'
import { type Served, type StandIn, startStandInRekognition } from '../../src/testing/rekognition/stand-in.ts'
import { faceOf, numberedPicture } from '../../src/testing/rekognition/table-faces.ts'
import { undoLater } from './cleanup.ts'
import { distinctPhotos } from './photos.ts'
import { makeDataFolder, startPostgres, startWorker } from './server-process.ts'
import { storeAlbum } from './stored-album.ts'

const PROCESSES = 3
/** How many photos each process indexes at the same time, as in src/jobs/index-photos.ts. */
const AT_ONCE = 64
const OPERATION = 'IndexFaces'
/** At random, a fifth of all calls is throttled, and a twentieth of all connections breaks, half of them after the photo
 *  was indexed. */
const FAULTS = { ThrottlingException: 0.2, break: 0.025, 'break-after': 0.025 }

interface Surroundings {
  db: Db
  folder: string
  databaseUrl: string
}

/** Indexes this number of photos. Returns how many are indexed in the end. */
type Indexing = (surroundings: Surroundings, standIn: StandIn, photos: number) => Promise<number>

/** Measures how much of the quota at Amazon Rekognition an album's indexing uses. A stand-in enforces the quota and
 *  takes 0.3 to 0.7 s for a photo; Inframe does not know the quota in advance. The runs with three governors show what
 *  the governor alone achieves. The three worker processes also need processor time for everything else.
 *  @param slowPhotos how many photos to index at 5 a second, where 2,000 take seven minutes */
export async function benchRekognition(slowPhotos: number): Promise<void> {
  const folder = await makeDataFolder()
  const databaseUrl = await startPostgres(folder)
  const db = createDb({ connectionString: databaseUrl }, () => {})
  undoLater(() => db.destroy())
  await migrateToLatest(db)

  const runs = [
    { how: 'governors', quota: 50, photos: 2_000, index: indexByGovernors },
    { how: 'workers', quota: 50, photos: 2_000, index: indexByWorkers },
    { how: 'workers', quota: 5, photos: slowPhotos, index: indexByWorkers },
  ]
  console.log('Quota used at a stand-in for Amazon Rekognition (aim: at least 90% over the whole run):')
  for (const { how, quota, photos, index } of runs)
    for (const faults of [{}, FAULTS]) {
      const kind = faults === FAULTS ? ', 20% throttled, 5% broken' : ''
      const figures = await measure(index, { db, folder, databaseUrl }, quota, photos, faults)
      console.log(`  ${PROCESSES} ${how}, ${quota}/s${kind}: ${photos} photos, ${figures}`)
    }
}

async function measure(
  index: Indexing,
  surroundings: Surroundings,
  quota: number,
  photos: number,
  faults: Parameters<typeof randomFaults>[0],
): Promise<string> {
  await surroundings.db.deleteFrom('lane_rates').execute()
  const draw = randomFaults(faults)
  const standIn = await startStandInRekognition({
    recognise: async () => [faceOf(0)],
    quotas: { [OPERATION]: quota },
    latencyMs: (operation) => (operation === OPERATION ? 300 + 400 * Math.random() : 50),
    fault: (operation) => (operation === OPERATION ? draw() : undefined),
  })
  const stop = undoLater(standIn.close)
  const indexed = await index(surroundings, standIn, photos)
  await stop()
  return `${photos - indexed} lost; ${usedQuota(standIn.served, quota)}`
}

/** Indexes with three governors in this process, each with its own connections, and nothing else. */
async function indexByGovernors({ databaseUrl }: Surroundings, standIn: StandIn, photos: number) {
  const log = createLog('error')
  const picture = await numberedPicture(0)
  const albumId = randomUUID()
  const { endpoint, region, credentials } = standIn
  const indexes = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const db = createDb({ connectionString: databaseUrl }, () => {}, 2)
      const governor = createGovernor({ store: createQuotaStore(db), rate: 5, log })
      const index = await createRekognitionFaceIndex({
        client: { endpoint, region, credentials },
        governor,
        pictures: PICTURES_HERE,
        records: createFaceRecords(db),
        log,
      })
      const close = undoLater(async () => {
        await index.close()
        await db.destroy()
      })
      return { index, close }
    }),
  )
  await indexes[0]!.index.createCollection(albumId)
  const waiting = distinctPhotos([picture], photos)
  const indexed = new Set<string>()
  const indexWaiting = async ({ index }: (typeof indexes)[number]) => {
    for (let photo = waiting.pop(); photo; photo = waiting.pop()) {
      const id = randomUUID()
      const { faces } = await index.indexPhoto(albumId, id, inMemory(Buffer.concat(photo)))
      if (faces.length === 1) indexed.add(id)
    }
  }
  await Promise.all(indexes.flatMap((one) => Array.from({ length: AT_ONCE }, () => indexWaiting(one))))
  for (const { close } of indexes) await close()
  return indexed.size
}

/** Indexes an uploaded album with three worker processes. */
async function indexByWorkers({ db, folder, databaseUrl }: Surroundings, standIn: StandIn, photos: number) {
  const jobs = await startJobs({ connectionString: databaseUrl }, createLog('warn'))
  const storage = await createDiskStorage(`${folder}/files`)
  const albumId = await storeAlbum({ db, storage, jobs: jobs.sender }, photos)
  await jobs.stop()
  const { accessKeyId, secretAccessKey } = standIn.credentials
  const worker = () =>
    startWorker({
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      SECRET_KEY: SECRET,
      FACES: 'rekognition',
      REKOGNITION_ENDPOINT: standIn.endpoint,
      AWS_REGION: standIn.region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
    })
  const workers = await Promise.all(Array.from({ length: PROCESSES }, worker))
  const indexed = await untilSettled(db, albumId)
  for (const { stop } of workers) await stop()
  return indexed
}

const SECRET = randomBytes(32).toString('base64url')

/** Waits until all photos are settled. @returns how many of them are indexed. */
async function untilSettled(db: Db, albumId: string): Promise<number> {
  const photosIn = async (state: PhotoState) => {
    const { count } = await db
      .selectFrom('photos')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('album_id', '=', albumId)
      .where('state', '=', state)
      .executeTakeFirstOrThrow()
    return Number(count)
  }
  while ((await photosIn('stored')) > 0) await pause(500)
  return await photosIn('indexed')
}

/** The part of the quota that was used, in words: since the first call that was refused because of the quota, and over
 *  the whole run. The first figure leaves out the last 50 calls, when there is no more work for all. */
function usedQuota(served: Served[], quota: number): string {
  const calls = served.filter((call) => call.operation === OPERATION)
  const isRefused = (call: Served) => call.error === 'ProvisionedThroughputExceededException'
  // The random faults happen before the quota is checked, so they do not count.
  const isCounted = (call: Served) =>
    !isRefused(call) && call.error !== 'ThrottlingException' && call.error !== 'break'
  const seconds = (part: Served[]) => (part.at(-1)!.at - part[0]!.at) / 1000
  const used = (part: Served[]) => percent(part.filter(isCounted).length / (seconds(part) * quota))
  const met = calls.findIndex(isRefused)
  const wholeRun = `${used(calls)} over the whole run of ${seconds(calls).toFixed(0)} s`
  if (met < 0) return `the quota was never exceeded; ${wholeRun}`
  const refused = percent(calls.filter(isRefused).length / calls.length)
  const learning = `after the quota was first exceeded (after ${seconds(calls.slice(0, met + 1)).toFixed(0)} s)`
  return `${used(calls.slice(met, -50))} ${learning}, ${wholeRun}; ${refused} of the calls exceeded it`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}
