import type { QueueOptions, WorkOptions } from 'pg-boss'
import type { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { JobName, JobPayloads } from './registry.ts'

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
  run: (context: AppContext, payload: unknown, attempt: Attempt) => Promise<void>
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
    handle: (context: AppContext, payload: JobPayloads[Name], attempt: Attempt) => Promise<void>
  }): Queue<Name> {
  return {
    policy: 'standard',
    work: () => ({}),
    ...queue,
    options: { ...UNTIL_IT_WORKS, ...queue.options },
    run: (context, payload, attempt) => handle(context, schema.parse(payload), attempt),
  }
}

/** A queue that cron fills. A run that fails is not repeated, because the next one is due soon. */
export function definePeriodicQueue<Name extends string>(
  name: Name,
  cron: string,
  handle: (context: AppContext) => Promise<void>,
): Queue<Name> {
  return {
    ...{ name, cron, policy: 'standard', work: () => ({}) },
    options: { ...OPTIONS, retryLimit: 0 },
    run: handle,
  }
}
