/** The program of the processes in which the face engine runs. A stranger's bytes are decoded here only.
 *  Its arguments are the number of threads, and the runtime to use; without one it uses the native runtime where that
 *  loads. */
import { answerTasks } from '../../processes/answer-tasks.ts'
import type { DescribedPhoto } from './engine.ts'
import { loadFaceEngine } from './load-engine.ts'
import type { RuntimeName } from './runtime.ts'

/** What is asked: every face of a photo, or the largest face of a selfie. */
export interface FaceTask {
  kind: 'photo' | 'selfie'
  /** Whether the photo's preview is wanted, too. */
  withPreview?: boolean
  image: Uint8Array
}

await answerTasks<FaceTask, DescribedPhoto>(async () => {
  const [threads, wanted] = process.argv.slice(2) as [string, RuntimeName?]
  const { engine, runtime, nativeProblem, damage, saveProblem } = await loadFaceEngine(
    wanted,
    Number(threads),
  )
  return {
    about: {
      runtime,
      ...(nativeProblem !== undefined && { nativeNotLoaded: String(nativeProblem) }),
      ...(saveProblem !== undefined && { modelsNotSaved: String(saveProblem) }),
    },
    ...(damage !== undefined && { problem: String(damage) }),
    async work({ kind, withPreview, image }) {
      if (kind === 'photo') return engine.describePhoto(image, { withPreview })
      const face = await engine.describeLargestFace(image)
      return { faces: face ? [face] : [], unindexed: [] }
    },
  }
})
