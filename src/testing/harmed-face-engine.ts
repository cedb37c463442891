/** A program in place of the face engine's. The text that it receives as the image says what the image does to it. */
import type { DescribedFace } from '../faces/embedded/engine.ts'
import type { FaceTask } from '../faces/embedded/face-worker.ts'
import { answerTasks } from '../processes/answer-tasks.ts'
import { eatMemory } from './eat-memory.ts'
import { indexedFace } from './indexed-face.ts'

async function describe({ image }: FaceTask): Promise<DescribedFace[]> {
  switch (Buffer.from(image).toString()) {
    case 'hangs':
      for (;;);
    case 'grows':
      return eatMemory()
    case 'crashes':
      process.kill(process.pid, 'SIGKILL')
  }
  const { box, confidence, quality } = indexedFace()
  return [{ box, confidence, quality, descriptor: new Float32Array(128) }]
}

await answerTasks(async () => ({ work: describe }))
