import { availableParallelism } from 'node:os'
import { fromKysely, type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss'
import { oneIn } from '../at-most-every.ts'
import type { AppContext } from '../context.ts'
import { CONNECTION_SECONDS, type DatabaseAddress, type Trx } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'
import type { Log } from '../log.ts'
import type { QueueFigure } from '../metrics.ts'
import { closeQuietRounds, eraseAlbum } from './albums.ts'
import { lookForNews, lookForPhotos } from './alerts.ts'
import { KEPT_SECONDS, type Queue } from './define-queue.ts'
import { endFaces } from './end-faces.ts'
import { indexPhotos } from './index-photos.ts'
import { sendLetter } from './letters.ts'
import { clearEngine, removeFaces, removePhotos } from './removals.ts'
import { eraseOptOuts, forgetAuditLog, forgetCalls } from './retention.ts'
import { matchSelfie, purgeSubmissions } from './selfies.ts'

/** The jobs that the code sends, by the names of their queues. Payloads hold ids and hashes only, since ended jobs stay in the
 *  database for an hour. */
export interface JobPayloads {
  /** `again`: also when the photo is indexed already. */
  'index-photos': { photoId: string; again?: boolean | undefined }
  'send-letter': { letterId: string }
  'match-selfie': { submissionId: string }
  /** `letters`: the ids of the album's letters. */
  'erase-album': { albumId: string; engines: EngineName[]; letters: string[] }
  /** `hashes`: of the photos, in hex. */
  'remove-photos': { albumId: string; photoIds: string[]; hashes: string[] }
  'remove-faces': { albumId: string; faceIds: string[] }
  'clear-engine': { albumId: string; engine: EngineName }
  'look-for-photos': { alertId: string }
}
export type JobName = keyof JobPayloads

export interface SendOptions {
  /** The jobs may begin after this many seconds. */
  afterSeconds?: number
  /** How many earlier jobs of the same album are not done yet. It lets albums take turns: the first job of each comes before
   *  the second of any. Without it, the jobs that were sent first come first. */
  backlog?: number
  /** Jobs of one group do not take all places of their queue. */
  group?: string
}

/** Every queue. One that has no handler does not compile. */
const QUEUES: Record<JobName, Queue> = byName([
  ...[
    indexPhotos,
    sendLetter,
    matchSelfie,
    eraseAlbum,
    clearEngine,
    removeFaces,
    removePhotos,
    lookForPhotos,
  ],
  ...[closeQuietRounds, endFaces, eraseOptOuts, forgetAuditLog, forgetCalls, lookForNews, purgeSubmissions],
])

/** @throws Error when a queue has two handlers */
export function byName<Name extends string>(queues: Queue<Name>[]): Record<Name, Queue> {
  const found: Partial<Record<string, Queue>> = {}
  for (const queue of queues) {
    if (found[queue.name]) throw new Error(`The queue ${queue.name} has two handlers`)
    found[queue.name] = queue
  }
  return found as Record<Name, Queue>
}

/** How often pg-boss looks for jobs whose process has died. */
const SUPERVISE_SECONDS = 10
/** How often pg-boss deletes jobs that were kept long enough. Its default is a day. */
const DELETE_SECONDS = 600
/** The queue of pg-boss's own that has a job for each run that cron sends. */
const CRON_QUEUE = '__pgboss__send-it'
/** How long a stopping process waits for its running jobs. A job that is cut off runs again elsewhere. */
const DRAIN_MS = 30_000

export interface Jobs {
  /** Sends one job per payload as part of the transaction: the jobs exist exactly when its rows do. */
  send<Name extends JobName>(
    trx: Trx,
    queue: Name,
    payloads: JobPayloads[Name][],
    options?: SendOptions,
  ): Promise<void>
  boss: PgBoss
  /** How many jobs each queue has, by state, as pg-boss has counted them within the last ten seconds. */
  figures(): Promise<QueueFigure[]>
  /** Begins to run the jobs. */
  work(context: AppContext): Promise<void>
  /** @throws the database's error when the queues do not answer */
  check(): Promise<void>
  /** Waits for running jobs to end, and starts no new ones. */
  stop(): Promise<void>
}

/** Starts the job queues, which are tables of the service's own Postgres. */
export async function startJobs(address: DatabaseAddress, log: Log): Promise<Jobs> {
  const queues = Object.values(QUEUES)
  const boss = new PgBoss({
    ...address,
    application_name: 'inframe-jobs',
    max: 3,
    // pg-boss hands it on to its pool, although its types do not name it.
    ...{ maxLifetimeSeconds: CONNECTION_SECONDS },
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: DELETE_SECONDS,
  })
  boss.on(
    'error',
    // While Postgres is away, every queue fails every second.
    oneIn(60_000, (error: Error, others) => log.error({ err: error, others }, 'The job queue failed')),
  )
  await boss.start()
  await boss.updateQueue(CRON_QUEUE, { deleteAfterSeconds: KEPT_SECONDS })
  for (const { name, options, policy } of queues) {
    // createQueue does not change a queue that exists; updateQueue gives it this version's options.
    await boss.createQueue(name, { ...options, notify: true, policy })
    await boss.updateQueue(name, { ...options, notify: true })
  }

  return {
    boss,
    async send(trx, name, payloads, { afterSeconds = 0, backlog, group } = {}) {
      if (payloads.length === 0) return
      await boss.insert(
        name,
        payloads.map((data, index) => ({
          data,
          startAfter: afterSeconds,
          // pg-boss takes higher priorities first, and of equal ones the older job.
          ...(backlog !== undefined && { priority: -(backlog + index) }),
          ...(group && { group: { id: group } }),
          ...(QUEUES[name].policy === 'exclusive' && { singletonKey: Object.values(data).join(' ') }),
        })),
        { db: fromKysely(trx) },
      )
    },
    async work(context) {
      for (const queue of queues) {
        if (queue.cron) {
          await boss.schedule(queue.name, queue.cron)
          // Runs that were due while no process was running.
          await boss.send(queue.name)
        }
        await runJobsOf(boss, queue, context)
      }
    },
    async figures() {
      const counted = await boss.getQueues(queues.map(({ name }) => name))
      return counted.flatMap(({ name: queue, readyCount, deferredCount, activeCount }) => [
        { queue, state: 'waiting' as const, count: readyCount },
        { queue, state: 'deferred' as const, count: deferredCount },
        { queue, state: 'active' as const, count: activeCount },
      ])
    },
    async check() {
      await boss.getQueue('index-photos')
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: DRAIN_MS })
    },
  }
}

async function runJobsOf(boss: PgBoss, { name, work, run }: Queue, context: AppContext): Promise<void> {
  async function runJob(job: JobWithMetadata<object>): Promise<JobResult> {
    const attempt = job.retryCount + 1
    const began = performance.now()
    const describe = (outcome: 'completed' | 'failed') => {
      const ms = performance.now() - began
      context.metrics.jobs.observe({ queue: name, outcome }, ms / 1000)
      return { queue: name, jobId: job.id, attempt, ms: Math.round(ms) }
    }
    try {
      await run(context, job.data, { attempt })
      context.log.info(describe('completed'), 'A job was done')
      return { id: job.id, status: 'completed' }
    } catch (error) {
      context.log.warn({ ...describe('failed'), err: error }, 'A job failed')
      return { id: job.id, status: 'failed', output: { message: String(error) } }
    }
  }
  const options = {
    // A notification starts a job within milliseconds. Polling is there for retries and full batches.
    notifyPollingIntervalSeconds: 1,
    pollingIntervalSeconds: 1,
    burstWhenBatchFull: true,
    ...work({ cores: availableParallelism(), engine: context.faces.engine }),
    includeMetadata: true,
    perJobResults: true,
  } as const
  await boss.work<object, unknown, typeof options>(name, options, (jobs) => Promise.all(jobs.map(runJob)))
}
