import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import type { DescribedFace } from './engine.ts'
import type { WorkerAnswer, WorkerQuestion } from './worker.ts'

/** One worker thread with its own networks. */
export interface FaceThread {
  readonly alive: boolean
  /** Resolves when the thread has ended, for any reason. */
  readonly ended: Promise<void>
  /** One picture at a time. Throws AppError UNPROCESSABLE_CONTENT for an image that cannot be read, and another
   *  error when the thread ended during the work. */
  describeFaces(image: Uint8Array, kind: WorkerQuestion['kind']): Promise<DescribedFace[]>
  stop(): Promise<void>
}

/** Starts a thread and waits until it has loaded its networks.
 *  @param timeLimit ms for one picture. A thread that takes longer counts as hung and is ended */
export async function startFaceThread(timeLimit: number): Promise<FaceThread> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url))
  const ended = Promise.withResolvers<void>()
  let alive = true
  let fault: unknown
  let reply = Promise.withResolvers<unknown>()

  worker.on('message', (message) => reply.resolve(message))
  worker.on('error', (error) => {
    fault = error
  })
  worker.on('exit', (code) => {
    alive = false
    reply.reject(fault ?? new Error(`The face worker exited with code ${code}.`))
    ended.resolve()
  })
  await reply.promise

  return {
    get alive() {
      return alive
    },
    ended: ended.promise,

    async describeFaces(image, kind) {
      reply = Promise.withResolvers()
      const timer = setTimeout(() => {
        fault = new Error(`The face worker gave no answer in ${timeLimit} ms.`)
        void worker.terminate()
      }, timeLimit)
      // The only copy: the caller keeps its bytes, and this copy moves to the worker.
      const bytes = Uint8Array.from(image).buffer
      worker.postMessage({ kind, image: bytes } satisfies WorkerQuestion, [bytes])
      try {
        const answer = (await reply.promise) as WorkerAnswer
        if ('refused' in answer) throw new AppError('UNPROCESSABLE_CONTENT', answer.refused)
        return answer.faces
      } finally {
        clearTimeout(timer)
      }
    },

    async stop() {
      await worker.terminate()
    },
  }
}
