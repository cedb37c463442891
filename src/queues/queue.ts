import type { QueueOptions } from 'pg-boss'
import { z } from 'zod'

/** A queue as the code that sends jobs knows it. What its jobs do is in `src/jobs`. */
export interface Queue<Payload extends object = object> {
  name: string
  /** Holds ids only, since completed jobs stay in the database for an hour. */
  payload: z.ZodType<Payload>
  options: QueueOptions
  /** Which jobs it does not take. `exclusive`: those with the payload of a job that waits or runs. `short`: those with the
   *  payload of a job that waits. Cannot be changed after the queue was first created. */
  policy: 'standard' | 'exclusive' | 'short'
  /** A cron line in UTC, for a periodic queue. */
  cron?: string
}

/** A job whose process died is given to another process after this many seconds without a sign of life. */
const HEARTBEAT_SECONDS = 10

/** How long jobs that have ended are kept. pg-boss keeps them for a week, and then an album of 100,000 photos slows down
 *  everything that looks for jobs. */
export const KEPT_SECONDS = 3_600

/** For work that must not be lost while a dependency is unavailable: tried until it succeeds, with growing pauses of at
 *  most a minute. pg-boss drops jobs that wait longer than the retention. */
const UNTIL_IT_WORKS: QueueOptions = {
  retryLimit: 1_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: 600,
  retentionSeconds: 365 * 24 * 3600,
  deleteAfterSeconds: KEPT_SECONDS,
}

/** A queue of work that must not be lost.
 *  @param options what differs from the other queues */
export function defineQueue<Payload extends object>(queue: {
  name: string
  payload: z.ZodType<Payload>
  options?: QueueOptions
  policy?: Queue['policy']
}): Queue<Payload> {
  return { policy: 'standard', ...queue, options: { ...UNTIL_IT_WORKS, ...queue.options } }
}

/** A queue that cron fills. A run that fails is not repeated, because the next one is due soon. */
export function definePeriodicQueue(name: string, cron: string): Queue {
  return {
    name,
    // Jobs that cron sends have no payload.
    payload: z.object({}).catch({}),
    options: {
      retryLimit: 0,
      expireInSeconds: 600,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deleteAfterSeconds: KEPT_SECONDS,
    },
    policy: 'standard',
    cron,
  }
}
