import { availableParallelism } from 'node:os'
import { fromKysely, type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss'
import { setChosenEngine } from '../albums/move-queries.ts'
import type { DatabaseAddress, Trx } from '../database/client.ts'
import type { JobSender } from '../database/job-sender.ts'
import type { Log } from '../log.ts'
import { closeQuietRoundsEveryMinute } from './close-quiet-rounds.ts'
import type { JobDeps, Queue } from './define-queue.ts'
import { eraseAlbum } from './erase-album.ts'
import { forgetCalls } from './forget-calls.ts'
import { indexPhotos } from './index-photos.ts'
import { matchSelfie } from './match-selfie.ts'
import { moveAlbumsEveryMinute } from './move-albums.ts'
import { purgeSubmissionsEveryMinute } from './purge-submissions.ts'
import { reindexPhotos } from './reindex-photos.ts'
import { removeCollection } from './remove-collection.ts'
import { sendLetter } from './send-letter.ts'

const QUEUES: Queue[] = [
  indexPhotos,
  sendLetter,
  matchSelfie,
  eraseAlbum,
  purgeSubmissionsEveryMinute,
  closeQuietRoundsEveryMinute,
  forgetCalls,
  ...Object.values(reindexPhotos),
  removeCollection,
  moveAlbumsEveryMinute,
]

/** How often pg-boss looks for jobs whose process has died. */
const SUPERVISE_SECONDS = 10
/** How long a stopping process lets its running jobs go on; what is cut off runs again elsewhere. */
const DRAIN_MS = 30_000
/** After this long no request is under way any more that could still write into an erased album. */
const ERASE_AGAIN_SECONDS = 900
/** After this long a rolling restart is over, and with it every process that knows only the former engine. */
const REMOVE_COLLECTION_SECONDS = 900

export interface Jobs {
  sender: JobSender
  boss: PgBoss
  /** Begins to work the queues off. */
  work(deps: JobDeps): Promise<void>
  /** Asks the queues for an answer; throws what the database says. */
  check(): Promise<void>
  /** Lets running jobs end, takes no new ones. */
  stop(): Promise<void>
}

/** The job queues, in the same Postgres as the rows they speak of.
 *  @param options.spies lets tests wait for a job's state. */
export async function startJobs(
  address: DatabaseAddress,
  log: Log,
  options: { spies?: boolean } = {},
): Promise<Jobs> {
  const boss = new PgBoss({
    ...address,
    application_name: 'inframe-jobs',
    max: 3,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    __test__enableSpies: options.spies ?? false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'The job queue met a fault'))
  await boss.start()
  for (const queue of QUEUES) {
    // createQueue leaves an existing queue as it was made; updateQueue gives it this version's options.
    const policy = queue.isExclusive ? 'exclusive' : 'standard'
    await boss.createQueue(queue.name, { ...queue.options, notify: true, policy })
    await boss.updateQueue(queue.name, { ...queue.options, notify: true })
  }

  return {
    boss,
    sender: createSender(boss),
    async work(deps) {
      await setChosenEngine(deps.db, deps.faces.engine)
      for (const queue of QUEUES) {
        if (queue.engine && queue.engine !== deps.faces.engine) continue
        if (queue.cron) {
          await boss.schedule(queue.name, queue.cron)
          // What became due while nobody was running.
          await boss.send(queue.name)
        }
        await workOff(boss, queue, deps)
      }
    },
    async check() {
      await boss.getQueue(indexPhotos.name)
    },
    stop: () => boss.stop({ graceful: true, timeout: DRAIN_MS }),
  }
}

function createSender(boss: PgBoss): JobSender {
  const send = (trx: Trx, queue: Queue, payloads: object[], afterSeconds = 0) =>
    boss.insert(
      queue.name,
      payloads.map((data) => ({
        data,
        startAfter: afterSeconds,
        ...(queue.isExclusive && { singletonKey: Object.values(data).join(' ') }),
      })),
      { db: fromKysely(trx) },
    )
  return {
    async indexPhotos(trx, photoIds) {
      if (photoIds.length === 0) return
      await send(
        trx,
        indexPhotos,
        photoIds.map((photoId) => ({ photoId })),
      )
    },
    async sendLetter(trx, roundId) {
      await send(trx, sendLetter, [{ roundId }])
    },
    async matchSelfie(trx, submissionId) {
      await send(trx, matchSelfie, [{ submissionId }])
    },
    async eraseAlbum(trx, albumId, engines) {
      await send(trx, eraseAlbum, [{ albumId, engines }])
      await send(trx, eraseAlbum, [{ albumId, engines }], ERASE_AGAIN_SECONDS)
    },
    async reindexPhotos(trx, engine, photoIds) {
      if (photoIds.length === 0) return
      await send(
        trx,
        reindexPhotos[engine],
        photoIds.map((photoId) => ({ photoId })),
      )
    },
    async dropReindexing(engine) {
      await boss.deleteQueuedJobs(reindexPhotos[engine].name)
    },
    async removeCollection(trx, albumId, engine) {
      await send(trx, removeCollection, [{ albumId, engine }], REMOVE_COLLECTION_SECONDS)
    },
    async moveAlbums(trx) {
      await send(trx, moveAlbumsEveryMinute, [{}])
    },
  }
}

async function workOff(boss: PgBoss, queue: Queue, deps: JobDeps): Promise<void> {
  async function runJob(job: JobWithMetadata<object>): Promise<JobResult> {
    const attempt = job.retryCount + 1
    const began = performance.now()
    const describe = (outcome: 'completed' | 'failed') => {
      const ms = performance.now() - began
      deps.metrics.jobs.observe({ queue: queue.name, outcome }, ms / 1000)
      return { queue: queue.name, jobId: job.id, attempt, ms: Math.round(ms) }
    }
    try {
      await queue.run(deps, job.data, { attempt })
      deps.log.info(describe('completed'), 'A job was done')
      return { id: job.id, status: 'completed' }
    } catch (error) {
      deps.log.warn({ ...describe('failed'), err: error }, 'A job failed')
      return { id: job.id, status: 'failed', output: { message: String(error) } }
    }
  }
  const options = {
    // Notification picks a job up within milliseconds; polling beside it serves retries and full batches.
    notifyPollingIntervalSeconds: 1,
    pollingIntervalSeconds: 1,
    burstWhenBatchFull: true,
    ...queue.work({ cores: availableParallelism(), engine: deps.faces.engine }),
    includeMetadata: true,
    perJobResults: true,
  } as const
  await boss.work<object, unknown, typeof options>(queue.name, options, (jobs) =>
    Promise.all(jobs.map(runJob)),
  )
}
