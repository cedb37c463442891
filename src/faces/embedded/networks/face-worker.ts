/** The program of the processes in which the face engine runs. A stranger's bytes are decoded here only.
 *  Its arguments are the number of threads, and the runtime to use; without one it uses the native runtime where that
 *  loads. */
import { answerTasks } from '../../../processes/answer-tasks.ts'
import { type DescribedPhoto, type DescribedSelfie, loadFaceEngine } from './engine.ts'
import type { RuntimeName } from './runtime.ts'

/** What is asked: every face of a photo, or one face of a selfie. */
export type FaceTask = PhotoTask | SelfieTask

export interface PhotoTask {
  kind: 'photo'
  /** Whether the photo's preview is wanted, too. */
  withPreview: boolean
  image: Uint8Array
}

export interface SelfieTask {
  kind: 'selfie'
  /** Which face is described: see FaceEngine. */
  wanted: number | undefined
  image: Uint8Array
}

/** For the maintainer, once in the log of a start. */
const FALLBACK =
  'WebAssembly, for a processor without AVX or a system without glibc. A photo takes three times as long'

await answerTasks<FaceTask, DescribedPhoto | DescribedSelfie>(async () => {
  const [threads, wanted] = process.argv.slice(2) as [string, RuntimeName?]
  const { engine, runtime, nativeProblem, saveProblem } = await loadFaceEngine(wanted, Number(threads))
  return {
    about: {
      runtime,
      ...(runtime === 'wasm' && { fallback: FALLBACK }),
      ...(nativeProblem !== undefined && { nativeNotLoaded: String(nativeProblem) }),
      ...(saveProblem !== undefined && { modelsNotSaved: String(saveProblem) }),
    },
    work: (task) =>
      task.kind === 'photo'
        ? engine.describePhoto(task.image, task)
        : engine.describeSelfie(task.image, task.wanted),
  }
})
