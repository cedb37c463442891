/** A program in place of the face engine's. The text that it receives as the image says what the image does to it. */
import type { DescribedFace } from '../faces/embedded/engine.ts'
import type { FaceTask } from '../faces/embedded/face-worker.ts'
import { answerTasks } from '../processes/answer-tasks.ts'

async function describe({ image }: FaceTask): Promise<DescribedFace[]> {
  switch (Buffer.from(image).toString()) {
    case 'hangs':
      for (;;);
    case 'grows':
      return grow()
    case 'crashes':
      process.kill(process.pid, 'SIGKILL')
  }
  return [
    { box: { left: 0, top: 0, width: 1, height: 1 }, confidence: 99, descriptor: new Float32Array(128) },
  ]
}

async function grow(): Promise<never> {
  const grown: Buffer[] = []
  for (;;) {
    grown.push(Buffer.alloc(8_000_000, 1))
    await new Promise(setImmediate)
  }
}

await answerTasks(async () => describe)
