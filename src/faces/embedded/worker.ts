/** One worker thread of the pool: says 'ready', then answers each image with a WorkerAnswer. Any fault other
 *  than an image that cannot be read ends the thread, and the pool starts a new one, because after a wasm fault the
 *  memory may be damaged. */
import { parentPort } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { type DescribedFace, loadFaceEngine } from './engine.ts'

/** What is asked: every face of a photo, or the largest face of a selfie. */
export interface WorkerQuestion {
  kind: 'photo' | 'selfie'
  image: ArrayBuffer
}

export type WorkerAnswer = { faces: DescribedFace[] } | { refused: string }

const port = parentPort
if (!port) throw new Error('worker.ts runs as a worker thread')

const engine = await loadFaceEngine()

async function describe({ kind, image }: WorkerQuestion): Promise<DescribedFace[]> {
  const bytes = new Uint8Array(image)
  if (kind === 'photo') return engine.describeFaces(bytes)
  const face = await engine.describeLargestFace(bytes)
  return face ? [face] : []
}

async function answer(question: WorkerQuestion): Promise<WorkerAnswer> {
  try {
    return { faces: await describe(question) }
  } catch (error) {
    if (error instanceof AppError) return { refused: error.message }
    throw error
  }
}

port.on('message', async (question: WorkerQuestion) => port.postMessage(await answer(question)))
port.postMessage('ready')
