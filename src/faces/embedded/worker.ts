/** One worker thread of the pool: says 'ready', then answers each image with a WorkerAnswer. Any fault other
 *  than an image that cannot be read ends the thread, and the pool starts a new one, because after a wasm fault the
 *  memory may be damaged. */
import { parentPort } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { type DescribedFace, loadFaceEngine } from './engine.ts'

export type WorkerAnswer = { faces: DescribedFace[] } | { refused: string }

const port = parentPort
if (!port) throw new Error('worker.ts runs as a worker thread')

const engine = await loadFaceEngine()

async function answer(image: ArrayBuffer): Promise<WorkerAnswer> {
  try {
    return { faces: await engine.describeFaces(new Uint8Array(image)) }
  } catch (error) {
    if (error instanceof AppError) return { refused: error.message }
    throw error
  }
}

port.on('message', async (image: ArrayBuffer) => port.postMessage(await answer(image)))
port.postMessage('ready')
