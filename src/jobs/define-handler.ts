import type { WorkOptions } from 'pg-boss'
import type { Db } from '../database/client.ts'
import type { BothEngines } from '../faces/both-engines.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { Keyring } from '../keyring.ts'
import type { Log } from '../log.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { KeptLetters } from '../mail/outbox.ts'
import type { Metrics } from '../metrics.ts'
import type { Decoders } from '../photos/decoders.ts'
import type { JobSender } from '../queues/job-sender.ts'
import type { Queue } from '../queues/queue.ts'
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

export interface Attempt {
  /** 1 for the first. */
  attempt: number
}

/** What decides how many jobs of a queue run at once in a process. */
export interface Capacity {
  cores: number
  /** The embedded engine uses this machine's cores; with Amazon Rekognition the machine waits. */
  engine: FaceIndex['engine']
}

/** What a queue's jobs do, and how many of them run at once. A job may run twice. */
export interface Handler {
  queue: Queue
  work: (capacity: Capacity) => WorkOptions
  /** Throws when the job is to run again. */
  run: (deps: JobDeps, payload: unknown, attempt: Attempt) => Promise<void>
}

/** A handler that checks the payload by the queue's schema.
 *  @throws ZodError (in `run`) */
export function defineHandler<Payload extends object>(
  queue: Queue<Payload>,
  handler: {
    work?: Handler['work']
    handle: (deps: JobDeps, payload: Payload, attempt: Attempt) => Promise<void>
  },
): Handler {
  return {
    queue,
    work: handler.work ?? (() => ({})),
    run: (deps, payload, attempt) => handler.handle(deps, queue.payload.parse(payload), attempt),
  }
}
