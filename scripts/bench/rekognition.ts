import { setTimeout as pause } from 'node:timers/promises'
import { faceOf, numberedPicture } from '../../src/testing/rekognition/recogniser.ts'
import type { ServiceFault } from '../../src/testing/rekognition/service-error.ts'
import { type Served, startStandInRekognition } from '../../src/testing/rekognition/stand-in.ts'
import { randomNumbers } from '../../src/testing/synthetic-people.ts'
import { distinct } from './photos.ts'
import { count, printLines } from './report.ts'
import { createSite, type Site, start } from './service.ts'
import { undoLater } from './undo.ts'
import { type Album, openAlbum, upload } from './visitors.ts'

const PROCESSES = 3
const OPERATION = 'IndexFaces'
const EXCEEDED = 'ProvisionedThroughputExceededException'
/** At random, a fifth of all calls is throttled, and a twentieth of all connections breaks, half of them after the photo
 *  was indexed. */
const FAULTS = { ThrottlingException: 0.2, break: 0.025, 'break-after': 0.025 }

/** Measures how much of the quota at Amazon Rekognition three worker processes use. A
 *  stand-in enforces the quota and takes 0.3 to 0.7 s for a photo.
 *  @param args how many photos to index at 50 a second, and at 5, where 2,000 take seven minutes */
export async function benchRekognition([fast = '2000', slow = '500']: string[]): Promise<void> {
  const standIn = await startStandInRekognition({
    recognise: async () => {
      await pause(300 + 400 * Math.random())
      return [faceOf(0)]
    },
  })
  undoLater(standIn.close)
  const site = await createSite({
    FACES: 'rekognition',
    REKOGNITION_WORKERS: String(PROCESSES),
    REKOGNITION_ENDPOINT: standIn.endpoint,
    AWS_REGION: standIn.region,
    AWS_ACCESS_KEY_ID: standIn.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: standIn.credentials.secretAccessKey,
    LOG_LEVEL: 'error',
  })
  await start('web', site.env)
  const picture = await numberedPicture(0)
  const runs: [quota: number, photos: number][] = [
    [50, Number(fast)],
    [5, Number(slow)],
  ]
  for (const [quota, photos] of runs)
    for (const faults of [{}, FAULTS]) {
      const [draw, admits] = [randomFaults(faults), quotaOf(quota)]
      standIn.fault = (operation) => {
        const fault = operation === OPERATION ? draw() : undefined
        if (operation !== OPERATION || fault === 'ThrottlingException' || fault === 'break') return fault
        return admits() ? fault : EXCEEDED
      }
      const album = await openAlbum(site.url, `Indexed ${Date.now()}`)
      await upload(album, photos, () => distinct(picture), 2)
      const before = standIn.served.length
      const indexed = await indexByWorkers(site, album, quota, photos)
      const used = usedQuota(standIn.served.slice(before))
      const kind = faults === FAULTS ? ', 20% throttled, 5% broken' : ''
      printLines(`${PROCESSES} workers, ${count(photos)} photos${kind}`, 'the quota', [
        { what: 'photos a second', measured: used.perSecond, yardstick: quota, unit: '/s' },
        { what: 'calls that exceeded it', measured: used.refused, unit: '%' },
        { what: 'photos that were not indexed', measured: photos - indexed, unit: 'photos', aim: 0 },
      ])
    }
}

/** Chooses faults at random, but the same ones in every run. @param shares of all requests, 0 to 1 */
function randomFaults(shares: Partial<Record<ServiceFault, number>>): () => ServiceFault | undefined {
  const random = randomNumbers()
  return () => {
    let drawn = random()
    for (const [fault, share] of Object.entries(shares)) {
      if (drawn < share) return fault as ServiceFault
      drawn -= share
    }
    return undefined
  }
}

/** Admits so many calls a second; after a quiet second all of them at once. */
function quotaOf(perSecond: number): () => boolean {
  let [left, at] = [perSecond, performance.now()]
  return () => {
    const now = performance.now()
    left = Math.min(perSecond, left + ((now - at) / 1000) * perSecond)
    at = now
    const isAdmitted = left >= 1
    if (isAdmitted) left--
    return isAdmitted
  }
}

/** Indexes an uploaded album with three worker processes. @returns how many photos are indexed in the end */
async function indexByWorkers(
  { env, db }: Site,
  { id }: Album,
  quota: number,
  photos: number,
): Promise<number> {
  const ofQuota = { ...env, REKOGNITION_TPS: String(quota) }
  const workers = await Promise.all(Array.from({ length: PROCESSES }, () => start('worker', ofQuota)))
  const settled = () =>
    db.selectFrom('albums').select('photos_settled').where('id', '=', id).executeTakeFirstOrThrow()
  while ((await settled()).photos_settled < photos) await pause(500)
  await Promise.all(workers.map(({ stop }) => stop()))
  const indexed = db
    .selectFrom('photos')
    .select('id')
    .where('album_id', '=', id)
    .where('state', '=', 'indexed')
  return (await indexed.execute()).length
}

/** The calls a second that count, and those that exceeded the quota, in percent. */
function usedQuota(served: Served[]): { perSecond: number; refused: number } {
  const calls = served.filter((call) => call.operation === OPERATION)
  const isRefused = (call: Served) => call.error === EXCEEDED
  // The random faults happen before the quota is checked, so they do not count.
  const counted = calls.filter(
    (call) => !isRefused(call) && call.error !== 'ThrottlingException' && call.error !== 'break',
  )
  const seconds = (calls.at(-1)!.at - calls[0]!.at) / 1_000
  return {
    perSecond: counted.length / seconds,
    refused: (100 * calls.filter(isRefused).length) / calls.length,
  }
}
