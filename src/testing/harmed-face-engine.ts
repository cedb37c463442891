/** A program in place of the face engine's. The text that it receives as the image says what the image does to it:
 *  hangs, grows, crashes, is killed, or waits until a file exists. */
import type { DescribedPhoto } from '../faces/embedded/networks/engine.ts'
import type { FaceTask } from '../faces/embedded/networks/face-worker.ts'
import { answerTasks } from '../processes/answer-tasks.ts'
import { indexedFace } from './engine-answers.ts'
import { eatMemory, waitForFile } from './harms.ts'

async function describe({ image }: FaceTask): Promise<DescribedPhoto> {
  const [harm, path] = Buffer.from(image).toString().split(' until ')
  switch (harm) {
    case 'waits':
      await waitForFile(path!)
      break
    case 'hangs':
      for (;;);
    case 'grows':
      return eatMemory()
    case 'crashes':
      process.kill(process.pid, 'SIGSEGV')
      break
    case 'is killed':
      process.kill(process.pid, 'SIGKILL')
  }
  const { box, confidence, quality } = indexedFace()
  return { faces: [{ box, confidence, quality, descriptor: new Float32Array(128) }], unindexed: [] }
}

await answerTasks(async () => ({ work: describe }))
