import { availableParallelism } from 'node:os'
import { type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss'
import { setChosenEngine } from '../albums/move-queries.ts'
import { oneIn } from '../at-most-every.ts'
import { CONNECTION_SECONDS, type DatabaseAddress } from '../database/client.ts'
import type { Log } from '../log.ts'
import type { QueueFigure } from '../metrics.ts'
import { createJobSender, type JobSender } from '../queues/job-sender.ts'
import { createNotifications, type Notifications } from '../queues/notifications.ts'
import { KEPT_SECONDS } from '../queues/queue.ts'
import { queues } from '../queues/queues.ts'
import { closeQuietRoundsEveryMinute } from './close-quiet-rounds.ts'
import type { Handler, JobDeps } from './define-handler.ts'
import { eraseAlbum } from './erase-album.ts'
import { eraseOptOutsInTime } from './erase-opt-outs.ts'
import { forgetAuditLog } from './forget-audit-log.ts'
import { forgetCalls } from './forget-calls.ts'
import { indexPhotos } from './index-photos.ts'
import { lookForNewsEveryMinute, lookForPhotos } from './look-for-news.ts'
import { matchSelfie } from './match-selfie.ts'
import { moveAlbumsEveryMinute } from './move-albums.ts'
import { sendOutgoing } from './outgoing.ts'
import { purgeSubmissionsEveryMinute } from './purge-submissions.ts'
import { reindexPhotos } from './reindex-photos.ts'
import { removeCollection } from './remove-collection.ts'
import { removeFaces, removePhotos } from './remove-faces.ts'

const HANDLERS: Handler[] = [
  indexPhotos,
  sendOutgoing,
  matchSelfie,
  eraseAlbum,
  purgeSubmissionsEveryMinute,
  closeQuietRoundsEveryMinute,
  forgetCalls,
  forgetAuditLog,
  ...Object.values(reindexPhotos),
  removeCollection,
  removeFaces,
  removePhotos,
  eraseOptOutsInTime,
  lookForPhotos,
  lookForNewsEveryMinute,
  moveAlbumsEveryMinute,
]

/** How often pg-boss looks for jobs whose process has died. */
const SUPERVISE_SECONDS = 10
/** How often pg-boss deletes jobs that were kept long enough. Its default is a day. */
const DELETE_SECONDS = 600
/** The queue of pg-boss's own that has a job for each run that cron sends. */
const CRON_QUEUE = '__pgboss__send-it'
/** How long a stopping process waits for its running jobs. A job that is cut off runs again elsewhere. */
const DRAIN_MS = 30_000

export interface Jobs {
  sender: JobSender
  notifications: Notifications
  boss: PgBoss
  /** How many jobs each queue has, by state, as pg-boss has counted them within the last ten seconds. */
  figures(): Promise<QueueFigure[]>
  /** Begins to run the jobs. */
  work(deps: JobDeps): Promise<void>
  /** @throws the database's error when the queues do not answer */
  check(): Promise<void>
  /** Waits for running jobs to end, and starts no new ones. */
  stop(): Promise<void>
}

/** Starts the job queues, which are tables of the service's own Postgres.
 *  @param options.spies lets tests wait for a job's state.
 *  @throws Error when a queue has no handler, or two */
export async function startJobs(
  address: DatabaseAddress,
  log: Log,
  options: { spies?: boolean; handlers?: Handler[] } = {},
): Promise<Jobs> {
  const handlers = options.handlers ?? HANDLERS
  requireOneHandlerEach(handlers)
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
    __test__enableSpies: options.spies ?? false,
  })
  boss.on(
    'error',
    // While Postgres is away, every queue fails every second.
    oneIn(60_000, (error: Error, others) => log.error({ err: error, others }, 'The job queue failed')),
  )
  await boss.start()
  await boss.updateQueue(CRON_QUEUE, { deleteAfterSeconds: KEPT_SECONDS })
  for (const { name, options, policy } of Object.values(queues)) {
    // createQueue does not change a queue that exists; updateQueue gives it this version's options.
    await boss.createQueue(name, { ...options, notify: true, policy })
    await boss.updateQueue(name, { ...options, notify: true })
  }

  const notifications = createNotifications(boss, log)
  return {
    boss,
    notifications,
    sender: createJobSender(boss),
    async work(deps) {
      await setChosenEngine(deps.db, deps.faces.engine)
      for (const handler of handlers) {
        const { queue, engine } = handler
        if (engine && engine !== deps.faces.engine) continue
        if (queue.cron) {
          await boss.schedule(queue.name, queue.cron)
          // Runs that were due while no process was running.
          await boss.send(queue.name)
        }
        await runJobsOf(boss, handler, deps)
      }
    },
    async figures() {
      const counted = await boss.getQueues(Object.values(queues).map(({ name }) => name))
      return counted.flatMap(({ name: queue, readyCount, deferredCount, activeCount }) => [
        { queue, state: 'waiting' as const, count: readyCount },
        { queue, state: 'deferred' as const, count: deferredCount },
        { queue, state: 'active' as const, count: activeCount },
      ])
    },
    async check() {
      await boss.getQueue(queues.indexPhotos.name)
    },
    async stop() {
      await notifications.close()
      await boss.stop({ graceful: true, timeout: DRAIN_MS })
    },
  }
}

function requireOneHandlerEach(handlers: Handler[]): void {
  for (const queue of Object.values(queues)) {
    const { length } = handlers.filter((handler) => handler.queue === queue)
    if (length !== 1) throw new Error(`The queue ${queue.name} has ${length} handlers instead of one`)
  }
}

async function runJobsOf(boss: PgBoss, handler: Handler, deps: JobDeps): Promise<void> {
  const { name } = handler.queue
  async function runJob(job: JobWithMetadata<object>): Promise<JobResult> {
    const attempt = job.retryCount + 1
    const began = performance.now()
    const describe = (outcome: 'completed' | 'failed') => {
      const ms = performance.now() - began
      deps.metrics.jobs.observe({ queue: name, outcome }, ms / 1000)
      return { queue: name, jobId: job.id, attempt, ms: Math.round(ms) }
    }
    try {
      await handler.run(deps, job.data, { attempt })
      deps.log.info(describe('completed'), 'A job was done')
      return { id: job.id, status: 'completed' }
    } catch (error) {
      deps.log.warn({ ...describe('failed'), err: error }, 'A job failed')
      return { id: job.id, status: 'failed', output: { message: String(error) } }
    }
  }
  const options = {
    // A notification starts a job within milliseconds. Polling is there for retries and full batches.
    notifyPollingIntervalSeconds: 1,
    pollingIntervalSeconds: 1,
    burstWhenBatchFull: true,
    ...handler.work({ cores: availableParallelism(), engine: deps.faces.engine }),
    includeMetadata: true,
    perJobResults: true,
  } as const
  await boss.work<object, unknown, typeof options>(name, options, (jobs) => Promise.all(jobs.map(runJob)))
}
