import { availableParallelism } from 'node:os'
import type { Log } from '../../log.ts'
import { createProcessPool } from '../../processes/process-pool.ts'
import { type FaultReason, TaskFault } from '../../processes/task-fault.ts'
import type { TaskLimits } from '../../processes/task-process.ts'
import { engineDown, engineStopping, pictureEndsEngine, pictureTooLarge, pictureTooSlow } from '../errors.ts'
import type { DescribedFace } from './engine.ts'
import type { FaceTask } from './face-worker.ts'
import type { RuntimeName } from './runtime.ts'

/** Processes with a face engine each. They throw AppError UNPROCESSABLE_CONTENT for an image that cannot be read, that
 *  takes too much time or memory, or that ended two engines; and SERVICE_UNAVAILABLE when no engine runs or all are
 *  being closed. */
export interface FaceWorkers {
  /** Every face of a JPEG or PNG. Albums take turns. */
  describeFaces(image: Uint8Array, albumId: string): Promise<DescribedFace[]>
  /** The largest face of a JPEG or PNG, if there is one. Selfies come before all photos that wait, because a visitor
   *  is looking at the screen.
   *  @param owner who takes turns with others: those who search the same albums */
  describeLargestFace(image: Uint8Array, owner: string): Promise<DescribedFace | undefined>
  /** Starts all processes, and from now on replaces each one that ends. Without it they start when pictures wait.
   *  Throws when a process cannot start. */
  start(): Promise<void>
  /** Whether no process runs, and the last try to start one has failed. */
  isDown(): boolean
  /** Waits for the pictures under way, and refuses those that wait. */
  close(): Promise<void>
}

export interface FaceWorkersOptions {
  log: Log
  /** The number of processes; one per core by default. */
  size?: number | undefined
  /** By default the native one where it loads, otherwise the one for WebAssembly. */
  runtime?: RuntimeName | undefined
  /** Another program than the engine's. */
  program?: URL
  limits?: TaskLimits
}

/** Measured on legal pictures, on the native runtime and on WebAssembly. A photo of 99 faces took 1.0 and 4.1 s of
 *  processor time, and several times as long when other programs wanted the same core. No picture of 63 megapixels took
 *  more than 3 s. After many photos an engine has 335 and 435 MB; while it decodes an interlaced PNG of 63 megapixels with
 *  16 bits, 800 MB more. */
const LIMITS: TaskLimits = {
  processorLimit: 60_000,
  timeLimit: 300_000,
  memoryLimit: 1_600_000_000,
  restLimit: 800_000_000,
}

const FAULTS: Record<FaultReason, (cause: TaskFault) => Error> = {
  time: pictureTooSlow,
  memory: pictureTooLarge,
  crash: pictureEndsEngine,
  down: engineDown,
  closing: engineStopping,
}

export function createFaceWorkers({
  log,
  size = availableParallelism(),
  runtime,
  program = new URL('./face-worker.ts', import.meta.url),
  limits = LIMITS,
}: FaceWorkersOptions): FaceWorkers {
  const pool = createProcessPool<FaceTask['kind'], FaceTask, DescribedFace[]>({
    name: 'face engine',
    program,
    args: runtime ? [runtime] : [],
    size,
    kinds: ['selfie', 'photo'],
    ...limits,
    log,
  })

  async function describe(task: FaceTask, owner: string): Promise<DescribedFace[]> {
    try {
      return await pool.run(task, { kind: task.kind, owner })
    } catch (error) {
      throw error instanceof TaskFault ? FAULTS[error.reason](error) : error
    }
  }

  return {
    describeFaces: (image, albumId) => describe({ kind: 'photo', image }, albumId),
    async describeLargestFace(image, owner) {
      const [face] = await describe({ kind: 'selfie', image }, owner)
      return face
    },
    start: pool.startAll,
    isDown: pool.isDown,
    close: pool.close,
  }
}
