/** The program of the processes in which the face engine runs. A stranger's bytes are decoded here only. */
import { answerTasks } from '../../processes/answer-tasks.ts'
import { type DescribedFace, loadFaceEngine } from './engine.ts'

/** What is asked: every face of a photo, or the largest face of a selfie. */
export interface FaceTask {
  kind: 'photo' | 'selfie'
  image: Uint8Array
}

await answerTasks<FaceTask, DescribedFace[]>(async () => {
  const engine = await loadFaceEngine()
  return async ({ kind, image }) => {
    if (kind === 'photo') return engine.describeFaces(image)
    const face = await engine.describeLargestFace(image)
    return face ? [face] : []
  }
})
