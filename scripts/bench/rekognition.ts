import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createDb, type Db } from '../../src/database/client.ts'
import { migrateToLatest } from '../../src/database/migrate.ts'
import type { PhotoState } from '../../src/database/schema.ts'
import type { FaceRecord } from '../../src/faces/rekognition/face-record-queries.ts'
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
const OPERATION = 'IndexFaces'
/** At random, a fifth of all calls is throttled, and a twentieth of all connections breaks, half of them after the photo
 *  was indexed. */
const FAULTS = { ThrottlingException: 0.2, break: 0.025, 'break-after': 0.025 }

interface Surroundings {
  db: Db
  folder: string
  databaseUrl: string
}

/** Measures how much of the quota at Amazon Rekognition three worker processes use, and how long searches take meanwhile. A
 *  stand-in enforces the quota and takes 0.3 to 0.7 s for a photo.
 *  @param args how many photos to index at 50 and at 5 a second, where 2,000 take seven minutes */
export async function benchRekognition(args: string[]): Promise<void> {
  const folder = await makeDataFolder()
  const databaseUrl = await startPostgres(folder)
  const db = createDb({ connectionString: databaseUrl }, () => {})
  undoLater(() => db.destroy())
  await migrateToLatest(db)

  const [fast = 2_000, slow = 500] = args.map(Number)
  const runs = [
    { quota: 50, photos: fast },
    { quota: 5, photos: slow },
  ]
  console.log('Quota used at a stand-in for Amazon Rekognition (aim: at least 90% over the whole run):')
  for (const { quota, photos } of runs)
    for (const faults of [{}, FAULTS]) {
      const kind = faults === FAULTS ? ', 20% throttled, 5% broken' : ''
      const figures = await measure({ db, folder, databaseUrl }, quota, photos, faults)
      console.log(`  ${PROCESSES} workers, ${quota}/s${kind}: ${photos} photos, ${figures}`)
    }
}

async function measure(
  surroundings: Surroundings,
  quota: number,
  photos: number,
  faults: Parameters<typeof randomFaults>[0],
): Promise<string> {
  const draw = randomFaults(faults)
  const standIn = await startStandInRekognition({
    recognise: async () => [faceOf(0)],
    quotas: { [OPERATION]: quota, SearchFacesByImage: quota, SearchFaces: quota, DetectFaces: quota },
    latencyMs: (operation) => (operation === OPERATION ? 300 + 400 * Math.random() : 200),
    fault: (operation) => (operation === OPERATION ? draw() : undefined),
  })
  const stop = undoLater(standIn.close)
  const { search, close } = await guestOf(standIn)
  const alone = await searchesUntil(search, pause(20_000))
  const before = standIn.served.length
  const indexing = indexByWorkers(surroundings, standIn, quota, photos)
  const meanwhile = await searchesUntil(search, indexing)
  const indexed = await indexing
  await close()
  await stop()
  return (
    `${photos - indexed} lost; ${usedQuota(standIn.served.slice(before), quota)}; ` +
    `p95 of ${alone.length} searches alone ${p95(alone)} ms, of ${meanwhile.length} meanwhile ${p95(meanwhile)} ms`
  )
}

/** A guest who searches an album of ten photos, from a process of its own. */
async function guestOf({ endpoint, region, credentials }: StandIn) {
  const faces = new Map<string, FaceRecord>()
  const index = await createRekognitionFaceIndex({
    client: { endpoint, region, credentials },
    photosPerSecond: 5,
    pictures: PICTURES_HERE,
    records: async () => faces,
    log: createLog('error'),
  })
  const albumId = randomUUID()
  const picture = await numberedPicture(0)
  await index.createCollection(albumId)
  for (const photo of distinctPhotos([picture], 10)) {
    const photoId = randomUUID()
    const found = await index.indexPhoto(albumId, photoId, inMemory(Buffer.concat(photo)))
    for (const { faceId, quality } of found.faces) faces.set(faceId, { faceId, albumId, photoId, quality })
  }
  return {
    async search() {
      const { found } = await index.search([albumId], { selfies: [{ image: picture }] })
      if (found.get(albumId)?.sure.length !== 10) throw new Error('A search did not find all photos')
    },
    close: () => index.close(),
  }
}

/** Searches once a second. @returns how many ms each search took, in order of size */
async function searchesUntil(search: () => Promise<void>, end: Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  let isOver = false
  void end.finally(() => (isOver = true))
  while (!isOver) {
    const began = performance.now()
    await search()
    took.push(performance.now() - began)
    await pause(1_000)
  }
  return took.sort((one, other) => one - other)
}

function p95(sorted: number[]): number {
  return Math.round(sorted[Math.ceil(sorted.length * 0.95) - 1]!)
}

/** Indexes an uploaded album with three worker processes. */
async function indexByWorkers(
  { db, folder, databaseUrl }: Surroundings,
  standIn: StandIn,
  quota: number,
  photos: number,
): Promise<number> {
  const jobs = await startJobs({ connectionString: databaseUrl }, createLog('warn'))
  const storage = await createDiskStorage(`${folder}/files`)
  const albumId = await storeAlbum({ db, storage, jobs: jobs.sender }, photos, SECRET)
  await jobs.stop()
  const { accessKeyId, secretAccessKey } = standIn.credentials
  const worker = () =>
    startWorker({
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      SECRET_KEY: SECRET,
      FACES: 'rekognition',
      REKOGNITION_TPS: String(quota),
      REKOGNITION_WORKERS: String(PROCESSES),
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

/** The part of the quota that was used, in words. */
function usedQuota(served: Served[], quota: number): string {
  const calls = served.filter((call) => call.operation === OPERATION)
  const isRefused = (call: Served) => call.error === 'ProvisionedThroughputExceededException'
  // The random faults happen before the quota is checked, so they do not count.
  const counted = calls.filter(
    (call) => !isRefused(call) && call.error !== 'ThrottlingException' && call.error !== 'break',
  )
  const seconds = (calls.at(-1)!.at - calls[0]!.at) / 1000
  const refused = percent(calls.filter(isRefused).length / calls.length)
  return `${percent(counted.length / (seconds * quota))} in ${seconds.toFixed(0)} s; ${refused} of the calls exceeded it`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}
