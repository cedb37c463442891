import { availableParallelism } from 'node:os'
import { AppError, SERVICE_STOPPING } from '../errors.ts'
import type { Pictures } from '../faces/pictures.ts'
import type { Log } from '../log.ts'
import { createProcessPool, type TaskOptions } from '../processes/process-pool.ts'
import { type FaultReason, TaskFault } from '../processes/task-fault.ts'
import type { TaskLimits } from '../processes/task-process.ts'
import type { DecoderAnswer, DecoderTask } from './decoder.ts'
import type { InspectedPhoto } from './images.ts'
import { decodersDown, emptyFile, heicSelfie, notAPicture, takesTooLong } from './picture-errors.ts'
import { isHeic, sniff } from './picture-types.ts'
import type { Rendition } from './renditions.ts'

/** Decodes pictures in processes that can be killed. Selfies have processes of their own and never wait for a photo.
 *
 *  All throw AppError as images.ts does, UNPROCESSABLE_CONTENT for a picture that takes too much time or memory or crashes
 *  its process, and SERVICE_UNAVAILABLE while no process runs. */
export interface Decoders extends Pictures {
  /** @param path of a file on this machine */
  inspect(path: string): Promise<InspectedPhoto>
  /** @param read gives the bytes when it is their turn. Photos that wait hold no memory */
  render(rendition: Rendition, read: () => Promise<Buffer>): Promise<Buffer>
  /** A selfie as the face index takes it: JPEG of at most 5 MB and 2000 pixels on its long side, the first frame, upright, on white,
   *  without metadata. Also UNSUPPORTED_MEDIA_TYPE when it is not a JPEG, PNG, GIF or WEBP by content.
   *  @param signal gives up waiting */
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

/** One more than cores that are used, so that one bad picture does not stop all others. */
const SIZE = Math.min(availableParallelism(), 4) + 1

/** The processes start when they are needed. */
export function createDecoders({
  log,
  program = new URL('./decoder.ts', import.meta.url),
  limits = LIMITS,
}: DecodersOptions): Decoders {
  const options = { name: 'decoder', program, size: SIZE, idleLimit: 10_000, log, ...limits }
  const selfies = createProcessPool<DecoderTask, DecoderAnswer>({ ...options, keepsLast: true })
  const photos = createProcessPool<DecoderTask, DecoderAnswer>({ ...options, keepsLast: false })

  /** The answer's type is that of the task. */
  async function ask<Answer extends DecoderAnswer>(
    pool: typeof photos,
    prepare: () => DecoderTask | Promise<DecoderTask>,
    options?: TaskOptions,
  ): Promise<Answer> {
    try {
      return (await pool.run(prepare, options)) as Answer
    } catch (error) {
      throw error instanceof TaskFault ? ERRORS[error.reason](error) : error
    }
  }

  return {
    inspect: (path) => ask(photos, () => ({ do: 'inspect', path }), { kind: 'upload' }),
    render: (rendition, read) =>
      ask(photos, async () => ({ do: 'render', rendition, image: await read() }), { kind: 'view' }),
    async selfie(image, signal) {
      if (image.length === 0) throw emptyFile()
      if (!sniff(image)) throw isHeic(image) ? heicSelfie() : notAPicture()
      return await ask(selfies, () => ({ do: 'selfie', image }), { signal })
    },
    upright: (image, kind) =>
      ask(kind === 'view' ? selfies : photos, () => ({ do: 'upright', image }), { kind }),
    cropped: (image, region) => ask(selfies, () => ({ do: 'cropped', image, region })),
    isDown: () => selfies.isDown() || photos.isDown(),
    figures: () => {
      const [one, other] = [selfies.figures(), photos.figures()]
      return { waiting: one.waiting + other.waiting, running: one.running + other.running }
    },
    async close() {
      await Promise.all([selfies.close(), photos.close()])
    },
  }
}

const unusable = (what: string) => (cause: TaskFault) =>
  new AppError('UNPROCESSABLE_CONTENT', `The photo ${what}. Please save it again as a normal JPEG`, { cause })

const ERRORS: Record<FaultReason, (cause: TaskFault) => AppError> = {
  time: takesTooLong,
  memory: unusable('takes too much memory to process'),
  crash: unusable('could not be processed'),
  killed: unusable('could not be processed'),
  down: decodersDown,
  closing: (cause) => new AppError('SERVICE_UNAVAILABLE', SERVICE_STOPPING, { cause, retryAfter: 5 }),
}
