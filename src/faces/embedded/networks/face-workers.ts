import { availableParallelism } from 'node:os'
import type { Log } from '../../../log.ts'
import { createProcessPool } from '../../../processes/process-pool.ts'
import { type FaultReason, TaskFault } from '../../../processes/task-fault.ts'
import type { TaskLimits } from '../../../processes/task-process.ts'
import {
  engineDown,
  engineStopping,
  pictureEndsEngine,
  pictureTooLarge,
  pictureTooSlow,
} from '../../errors.ts'
import type { DescribedPhoto, DescribedSelfie } from './engine.ts'
import type { PhotoTask, SelfieTask } from './face-worker.ts'
import type { RuntimeName } from './runtime.ts'

/** Processes with a face engine each. Those for photos start when photos wait, and end when there were none for five
 *  minutes. Selfies have processes of their own and never wait for a photo, because a visitor is looking at the screen.
 *
 *  They throw AppError UNPROCESSABLE_CONTENT for an image that cannot be read, that takes too much time or memory, or
 *  that crashed two engines; and SERVICE_UNAVAILABLE when no engine runs or all are being closed. */
export interface FaceWorkers {
  /** As FaceEngine. Throws another error when somebody else killed two engines that worked on it, for example Linux when it
   *  had no memory left. */
  describePhoto(image: Uint8Array, options?: { withPreview?: boolean }): Promise<DescribedPhoto>
  /** As FaceEngine. */
  describeSelfie(image: Uint8Array, wanted?: number): Promise<DescribedSelfie>
  /** Starts one process for selfies, and from now on one always runs. Without it the first one starts when a selfie
   *  waits. Throws when the process does not start. */
  start(): Promise<void>
  /** Whether no process for selfies runs, and the last try to start one has failed. */
  isDown(): boolean
  /** Waits for the pictures under way, and refuses those that wait. */
  close(): Promise<void>
}

export interface FaceWorkersOptions {
  log: Log
  /** The largest number of processes for photos, and of those for selfies; one per core by default. */
  size?: number | undefined
  /** By default the native one where it loads, otherwise the one for WebAssembly. */
  runtime?: RuntimeName | undefined
  /** Another program than the engine's. */
  program?: URL
  limits?: TaskLimits
  /** Ms after which an idle process ends. */
  idleLimit?: number
}

/** Measured on legal pictures, on the native runtime and on WebAssembly. A photo of 99 faces took 1.0 and 4.1 s of
 *  processor time, and several times as long when other programs wanted the same core. No picture of 63 megapixels took
 *  more than 3 s. After many photos an engine has 300 and 435 MB; while it decodes an interlaced PNG of 63 megapixels with
 *  16 bits, 800 MB more. */
const LIMITS: TaskLimits = {
  processorLimit: 60_000,
  timeLimit: 300_000,
  memoryLimit: 1_600_000_000,
  restLimit: 800_000_000,
}

/** An album is uploaded in batches, with pauses between them. A start takes a second. */
const IDLE_LIMIT_MS = 5 * 60_000

/** Nobody waits for a single photo. So selfies, uploads and Postgres get three times as much of a core that all want.
 *  With more, an engine might not start in time on a machine that is busy with other programs. */
export const NICENESS_OF_PHOTOS = 5

/** A visitor waits for a selfie, so more than one core works on it where others are idle. */
const THREADS_FOR_A_SELFIE = Math.min(2, availableParallelism())

const FAULTS: Record<FaultReason, (cause: TaskFault) => Error> = {
  time: pictureTooSlow,
  memory: pictureTooLarge,
  crash: pictureEndsEngine,
  killed: engineDown,
  down: engineDown,
  closing: engineStopping,
}

export function createFaceWorkers({
  log,
  size = availableParallelism(),
  runtime,
  program = new URL('./face-worker.ts', import.meta.url),
  limits = LIMITS,
  idleLimit = IDLE_LIMIT_MS,
}: FaceWorkersOptions): FaceWorkers {
  const options = { program, size, idleLimit, log, ...limits }
  const args = (threads: number) => [String(threads), ...(runtime ? [runtime] : [])]
  const selfies = createProcessPool<SelfieTask, DescribedSelfie>({
    ...options,
    name: 'face engine for selfies',
    args: args(THREADS_FOR_A_SELFIE),
    keepsLast: true,
  })
  const photos = createProcessPool<PhotoTask, DescribedPhoto>({
    ...options,
    name: 'face engine for photos',
    // There is one for each core.
    args: args(1),
    keepsLast: false,
    niceness: NICENESS_OF_PHOTOS,
  })

  return {
    describePhoto: (image, { withPreview = false } = {}) =>
      photos
        .run(() => ({ kind: 'photo', withPreview, image }))
        .catch((error: unknown) => {
          // The job is tried a few times.
          const isKilled = error instanceof TaskFault && error.reason === 'killed'
          throw isKilled ? error : errorOf(error)
        }),

    describeSelfie: (image, wanted) =>
      selfies
        .run(() => ({ kind: 'selfie', wanted, image }))
        .catch((error: unknown) => {
          throw errorOf(error)
        }),

    start: selfies.start,
    isDown: selfies.isDown,
    async close() {
      await Promise.all([selfies.close(), photos.close()])
    },
  }
}

function errorOf(error: unknown): unknown {
  return error instanceof TaskFault ? FAULTS[error.reason](error) : error
}
