import sharp from 'sharp'
import type { DescribedSelfie } from '../../src/faces/embedded/networks/engine.ts'
import type { FaceTask } from '../../src/faces/embedded/networks/face-worker.ts'
import { startTaskProcess, type TaskProcess } from '../../src/processes/task-process.ts'
import { cropFace } from '../../src/testing/sample-photos.ts'
import { undoLater } from './cleanup.ts'

export type Engine = TaskProcess<FaceTask, DescribedSelfie>

/** Starts a face engine without a service. */
export async function bareEngine(): Promise<Engine> {
  const limits = { timeLimit: 60_000, memoryLimit: 2e9 }
  const program = new URL('../../src/faces/embedded/networks/face-worker.ts', import.meta.url)
  const engine = await startTaskProcess<FaceTask, DescribedSelfie>(program, ['1'], limits)
  undoLater(() => engine.kill())
  return engine
}

/** A selfie of the person with the largest face in a photo.
 *  @param side its width and height in pixels
 *  @returns a JPEG */
export async function selfieFrom(photo: Buffer, engine: Engine, side: number): Promise<Buffer> {
  const { faces } = await engine.run({ kind: 'selfie', wanted: undefined, image: photo })
  return await sharp(await cropFace(photo, faces[0]!.box, 2.5))
    .resize(side, side, { fit: 'cover' })
    .jpeg({ quality: 90 })
    .toBuffer()
}
