import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { engineDown, engineInterrupted, engineStopping } from '../errors.ts'
import type { DescribedFace } from './engine.ts'
import { type FaceThread, startFaceThread } from './face-thread.ts'

/** Selfies come before all photos that wait, because a visitor is looking at the screen. */
export type PictureKind = 'selfie' | 'photo'

export interface FaceWorkers {
  /** Every face of a photo, or the largest face of a selfie. Takes a JPEG or PNG. Throws AppError UNPROCESSABLE_CONTENT for an image that cannot be read,
   *  INTERNAL_SERVER_ERROR when the worker crashed during the work, SERVICE_UNAVAILABLE when there is no worker or
   *  the pool closes. */
  describeFaces(image: Uint8Array, kind: PictureKind): Promise<DescribedFace[]>
  /** Whether every thread has ended and the last try to start another has failed. */
  isDown(): boolean
  /** Waits for the pictures under way, and refuses those that wait. */
  close(): Promise<void>
}

export interface FaceWorkersOptions {
  log: Log
  /** The number of worker threads; one per core by default. */
  size?: number | undefined
  /** Milliseconds for one picture. A worker that takes longer counts as hung and is replaced. */
  timeLimit?: number
}

interface Job {
  kind: PictureKind
  image: Uint8Array
  resolve(faces: DescribedFace[]): void
  reject(error: AppError): void
}

const RESTART_PAUSE_MS = 5_000

/** Starts the worker threads and waits until each has loaded its networks; throws when one cannot. */
export async function startFaceWorkers({
  log,
  size = availableParallelism(),
  timeLimit = 60_000,
}: FaceWorkersOptions): Promise<FaceWorkers> {
  const waiting: Record<PictureKind, Job[]> = { selfie: [], photo: [] }
  const threads = new Set<FaceThread>()
  const idle = new Set<FaceThread>()
  const underWay = new Set<Promise<void>>()
  const closing = new AbortController()
  let isDown = false

  async function addThread(): Promise<void> {
    const thread = await startFaceThread(timeLimit)
    if (closing.signal.aborted) return thread.stop()
    isDown = false
    threads.add(thread)
    idle.add(thread)
    void thread.ended.then(() => {
      threads.delete(thread)
      idle.delete(thread)
      track(replaceThread())
    })
    dispatch()
  }

  async function replaceThread(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        return await addThread()
      } catch (error) {
        log.error({ err: error }, 'A face worker did not start. It is tried again in a moment')
        isDown = threads.size === 0
        if (isDown) refuseWaiting(engineDown())
        await pause(RESTART_PAUSE_MS, undefined, { signal: closing.signal, ref: false }).catch(
          () => undefined,
        )
      }
    }
  }

  function dispatch(): void {
    for (const thread of idle) {
      const job = waiting.selfie.shift() ?? waiting.photo.shift()
      if (!job) return
      idle.delete(thread)
      track(run(thread, job))
    }
  }

  async function run(thread: FaceThread, job: Job): Promise<void> {
    try {
      job.resolve(await thread.describeFaces(job.image, job.kind))
    } catch (error) {
      if (error instanceof AppError) job.reject(error)
      else {
        log.warn({ err: error }, 'A face worker crashed while it worked on a picture. It is replaced')
        job.reject(engineInterrupted(error))
      }
    }
    if (thread.alive) idle.add(thread)
    dispatch()
  }

  function refuseWaiting(error: AppError): void {
    for (const job of [...waiting.selfie.splice(0), ...waiting.photo.splice(0)]) job.reject(error)
  }

  function track(work: Promise<void>): void {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  async function close(): Promise<void> {
    closing.abort()
    refuseWaiting(engineStopping())
    await Promise.all(underWay)
    await Promise.all([...threads].map((thread) => thread.stop()))
  }

  const starts = await Promise.allSettled(Array.from({ length: size }, addThread))
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed) {
    await close()
    throw new Error(`The face engine did not start: ${String(failed.reason)}`, { cause: failed.reason })
  }

  return {
    describeFaces(image, kind) {
      if (closing.signal.aborted) return Promise.reject(engineStopping())
      return new Promise((resolve, reject) => {
        waiting[kind].push({ kind, image, resolve, reject })
        dispatch()
      })
    },
    isDown: () => isDown,
    close,
  }
}
