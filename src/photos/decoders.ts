import { availableParallelism } from 'node:os'
import type { AppError } from '../errors.ts'
import type { Pictures } from '../faces/pictures.ts'
import type { Log } from '../log.ts'
import { createProcessPool, type TaskOptions } from '../processes/process-pool.ts'
import { type FaultReason, TaskFault } from '../processes/task-fault.ts'
import type { TaskLimits } from '../processes/task-process.ts'
import { storeFault } from '../storage/disk-faults.ts'
import type { DecoderAnswer, DecoderTask } from './decoder.ts'
import type { InspectedPhoto } from './images.ts'
import {
  crashesTheDecoder,
  decodersDown,
  decodersStopping,
  takesTooLong,
  takesTooMuchMemory,
} from './picture-errors.ts'

/** In the order in which they are done. First comes a selfie, whose sender looks at the screen, and then a photo that
 *  opens. An upload shows its progress and may take a while. Nobody waits for a single photo that is indexed. */
const KINDS = ['selfie', 'view', 'upload', 'index'] as const

/** Decodes pictures in processes that can be killed. It has as many as there are cores, at most four, and two more. One is
 *  for selfies only, so they never wait for photos, and one is for photos only.
 *
 *  All throw AppError UNPROCESSABLE_CONTENT for a picture that takes too much time or memory or crashes its process,
 *  and SERVICE_UNAVAILABLE while no process runs. */
export interface Decoders extends Pictures {
  /** @param path of a file on this machine
   *  @throws AppError as images.ts does, and an error of the system */
  inspect(path: string): Promise<InspectedPhoto>
  /** @param read gives the bytes when it is their turn. Photos that wait hold no memory */
  thumbnail(read: () => Promise<Buffer>): Promise<Buffer>
  preview(read: () => Promise<Buffer>): Promise<Buffer>
  /** Writes a new file at `path`. A decoder that is killed leaves it unfinished.
   *  @returns its size in bytes, at most FULL_MAX_BYTES
   *  @throws AppError SERVICE_UNAVAILABLE also when the file cannot be written */
  full(read: () => Promise<Buffer>, path: string): Promise<number>
  /** @param signal gives up waiting */
  selfie(image: Buffer, signal?: AbortSignal): Promise<Buffer>
  /** Whether no process runs and the last try to start one has failed. */
  isDown(): boolean
  /** Pictures. */
  figures(): { waiting: number; running: number }
  close(): Promise<void>
}

export interface DecodersOptions {
  log: Log
  /** Another program than decoder.ts. */
  program?: URL
  limits?: TaskLimits
}

/** Measured with pictures of 64 megapixels. The slowest, a progressive CMYK JPEG, took 5.5 s of processor time, and 15 s
 *  while six other programs wanted the same core. A photo of a camera takes less than 1 s. Progressive JPEGs need up to
 *  640 MB of memory. */
const LIMITS: TaskLimits = { processorLimit: 12_000, timeLimit: 60_000, memoryLimit: 800_000_000 }

const CORES_USED = Math.min(availableParallelism(), 4)

/** The processes start when they are needed. */
export function createDecoders({
  log,
  program = new URL('./decoder.ts', import.meta.url),
  limits = LIMITS,
}: DecodersOptions): Decoders {
  const pool = createProcessPool<(typeof KINDS)[number], DecoderTask, DecoderAnswer>({
    name: 'decoder',
    program,
    size: CORES_USED + 2,
    kinds: KINDS,
    keptForEach: 1,
    ...limits,
    idleLimit: 10_000,
    log,
  })

  /** The answer's type is that of the task. */
  async function ask<Answer extends DecoderAnswer>(
    task: DecoderTask | (() => Promise<DecoderTask>),
    options: TaskOptions<(typeof KINDS)[number]>,
  ): Promise<Answer> {
    try {
      return (await pool.run(task, options)) as Answer
    } catch (error) {
      throw error instanceof TaskFault ? ERRORS[error.reason](error) : error
    }
  }

  const whenRead = (what: 'thumbnail' | 'preview', read: () => Promise<Buffer>) => async () => ({
    do: what,
    image: await read(),
  })

  return {
    inspect: (path) => ask({ do: 'inspect', path }, { kind: 'upload' }),
    thumbnail: (read) => ask(whenRead('thumbnail', read), { kind: 'view' }),
    preview: (read) => ask(whenRead('preview', read), { kind: 'view' }),
    full: (read, path) =>
      storeFault(() => ask(async () => ({ do: 'full', image: await read(), path }), { kind: 'view' })),
    selfie: (image, signal) => ask({ do: 'selfie', image }, { kind: 'selfie', signal }),
    // A person waits for a selfie only.
    upright: (image, kind) => ask({ do: 'upright', image }, { kind: laneOf(kind) }),
    cropped: (image, region) => ask({ do: 'cropped', image, region }, { kind: 'selfie' }),
    isReadable: (image, kind) => ask({ do: 'isReadable', image }, { kind: laneOf(kind) }),
    isDown: () => pool.isDown(),
    figures: () => pool.figures(),
    close: () => pool.close(),
  }
}

const laneOf = (kind: 'view' | 'index') => (kind === 'view' ? 'selfie' : kind)

const ERRORS: Record<FaultReason, (cause: TaskFault) => AppError> = {
  time: takesTooLong,
  memory: takesTooMuchMemory,
  crash: crashesTheDecoder,
  killed: crashesTheDecoder,
  down: decodersDown,
  closing: decodersStopping,
}
