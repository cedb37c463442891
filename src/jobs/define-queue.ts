import type { QueueOptions, WorkOptions } from 'pg-boss'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import type { JobName, JobPayloads, JobSender } from '../database/jobs.ts'
import type { BothEngines } from '../faces/both-engines.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { Keyring } from '../keyring.ts'
import type { Log } from '../log.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { KeptLetters } from '../mail/outbox.ts'
import type { Metrics } from '../metrics.ts'
import type { Decoders } from '../photos/decoders.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import type { FreeDisk } from '../storage/free-disk.ts'

/** All that a job may use. */
export interface JobDeps extends BothEngines {
  db: Db
  storage: FileStorage
  freeDisk: FreeDisk
  decoders: Decoders
  mailer: Mailer
  outbox: KeptLetters
  keyring: Keyring
  jobs: JobSender
  log: Log
  metrics: Metrics
  /** The address that letters link to, without a slash at its end. */
  siteUrl: string
  /** Similarity (0–100) from which a face is surely of the person; undefined: the engine decides. */
  threshold: number | undefined
}

/** What decides how many jobs of a queue run at once in a process. */
export interface Capacity {
  cores: number
  /** The embedded engine uses this machine's cores; with Amazon Rekognition the machine waits. */
  engine: FaceIndex['engine']
}

interface Attempt {
  /** 1 for the first. */
  attempt: number
}

/** A queue and what its jobs do. A job may run twice. */
export interface Queue<Name extends string = string> {
  name: Name
  options: QueueOptions
  /** Which jobs it does not take. `exclusive`: those with the payload of a job that waits or runs. Cannot be changed after the
   *  queue was first created. */
  policy: 'standard' | 'exclusive'
  /** A cron line in UTC, for a periodic queue. */
  cron?: string
  /** How many of the jobs run at once. */
  work: (capacity: Capacity) => WorkOptions
  /** Checks the payload, and throws when the job is to run again. */
  run: (deps: JobDeps, payload: unknown, attempt: Attempt) => Promise<void>
}

/** How long jobs that have ended are kept. pg-boss keeps them for a week, and then an album of 100,000 photos slows down
 *  everything that looks for jobs. */
export const KEPT_SECONDS = 3_600

const OPTIONS: QueueOptions = {
  // A job whose process died is given to another process after this many seconds without a sign of life.
  heartbeatSeconds: 10,
  expireInSeconds: 600,
  deleteAfterSeconds: KEPT_SECONDS,
}

/** For work that must not be lost while a dependency is unavailable: tried until it succeeds, with growing pauses of at
 *  most a minute. pg-boss drops jobs that wait longer than the retention. */
const UNTIL_IT_WORKS: QueueOptions = {
  ...OPTIONS,
  retryLimit: 1_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: 365 * 24 * 3600,
}

/** A queue of work that must not be lost.
 *  @param queue.options what differs from the other queues */
export function defineQueue<Name extends JobName>({
  payload: schema,
  handle,
  ...queue
}: Pick<Queue<Name>, 'name'> &
  Partial<Pick<Queue, 'options' | 'policy' | 'work'>> & {
    payload: z.ZodType<JobPayloads[Name]>
    handle: (deps: JobDeps, payload: JobPayloads[Name], attempt: Attempt) => Promise<void>
  }): Queue<Name> {
  return {
    policy: 'standard',
    work: () => ({}),
    ...queue,
    options: { ...UNTIL_IT_WORKS, ...queue.options },
    run: (deps, payload, attempt) => handle(deps, schema.parse(payload), attempt),
  }
}

/** A queue that cron fills. A run that fails is not repeated, because the next one is due soon. */
export function definePeriodicQueue<Name extends string>(
  name: Name,
  cron: string,
  handle: (deps: JobDeps) => Promise<void>,
): Queue<Name> {
  return {
    ...{ name, cron, policy: 'standard', work: () => ({}) },
    options: { ...OPTIONS, retryLimit: 0 },
    run: handle,
  }
}
