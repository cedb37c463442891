import type { QueueOptions, WorkOptions } from 'pg-boss'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import type { JobSender } from '../database/job-sender.ts'
import type { EngineName } from '../database/schema.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { FormerFaces } from '../faces/former-faces.ts'
import type { Keyring } from '../keyring.ts'
import type { Log } from '../log.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Metrics } from '../metrics.ts'
import type { FileStorage } from '../storage/file-storage.ts'

/** All that a job's handler may use. */
export interface JobDeps {
  db: Db
  storage: FileStorage
  faces: FaceIndex
  formerFaces: FormerFaces
  mailer: Mailer
  keyring: Keyring
  jobs: JobSender
  log: Log
  metrics: Metrics
  /** The address that letters link to, without a slash at its end. */
  siteUrl: string
  /** Similarity (0–100) from which a face counts as the same person. */
  threshold: number
}

export interface Attempt {
  /** 1 for the first. */
  attempt: number
}

/** What decides how many jobs of a queue run at once in a process. */
export interface Capacity {
  cores: number
  /** Whether faces are found on this machine, or elsewhere while this one waits. */
  engine: FaceIndex['engine']
}

/** One queue: how pg-boss keeps it, how it is worked off, and what a job does. A job may run twice. */
export interface Queue {
  name: string
  options: QueueOptions
  work: (capacity: Capacity) => WorkOptions
  /** Worked off only by processes that have this face engine. */
  engine?: EngineName | undefined
  /** Holds no two jobs with the same key at a time. Settled when the queue is first made. */
  isExclusive: boolean
  /** A cron line in UTC, for a queue that fills itself. */
  cron?: string
  /** Throws to be run again. */
  run: (deps: JobDeps, payload: unknown, attempt: Attempt) => Promise<void>
}

/** A job whose process died is given to another after this long without a sign of life. */
const HEARTBEAT_SECONDS = 10

/** For work that must not be lost while a dependency is away: tried for as long as it takes, with growing
 *  pauses of at most a minute. pg-boss drops jobs that wait longer than the retention. */
const UNTIL_IT_WORKS: QueueOptions = {
  retryLimit: 1_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: 600,
  retentionSeconds: 365 * 24 * 3600,
}

/** A queue of work that must not be lost. Its payloads hold ids only, since completed jobs stay for days. */
export function defineQueue<Payload extends object>(queue: {
  name: string
  payload: z.ZodType<Payload>
  /** Where it differs from the others. */
  options?: QueueOptions
  work?: Queue['work']
  engine?: EngineName
  isExclusive?: boolean
  handle: (deps: JobDeps, payload: Payload, attempt: Attempt) => Promise<void>
}): Queue {
  return {
    name: queue.name,
    options: { ...UNTIL_IT_WORKS, ...queue.options },
    work: queue.work ?? (() => ({})),
    engine: queue.engine,
    isExclusive: queue.isExclusive ?? false,
    run: (deps, payload, attempt) => queue.handle(deps, queue.payload.parse(payload), attempt),
  }
}

/** A queue that cron fills: a run that fails is not repeated, the next one is soon due. */
export function definePeriodic(name: string, cron: string, run: (deps: JobDeps) => Promise<void>): Queue {
  return {
    name,
    cron,
    isExclusive: false,
    options: { retryLimit: 0, expireInSeconds: 600, heartbeatSeconds: HEARTBEAT_SECONDS },
    work: () => ({}),
    run,
  }
}
