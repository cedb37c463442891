import { createFaceEngine, type FaceEngine } from './engine.ts'
import { loadModels } from './models.ts'
import { createNetworks } from './networks.ts'
import { loadRuntime, type RuntimeName } from './runtime.ts'

export interface LoadedEngine {
  engine: FaceEngine
  runtime: RuntimeName
  /** Why the native runtime did not load. */
  nativeProblem?: unknown
  /** Why the file of a network could not be used. The network was built again. */
  damage?: unknown
  /** Why a network could not be saved for the next start. Everything works without it. */
  saveProblem?: unknown
}

/** Loads a face engine into this process.
 *  @param wanted by default the native runtime where it loads, otherwise the one for WebAssembly
 *  @param threads in which the native runtime works */
export async function loadFaceEngine(wanted?: RuntimeName, threads?: number): Promise<LoadedEngine> {
  const runtime = await loadRuntime(wanted, threads)
  const { models, ...problems } = await loadModels(runtime)
  const { name, nativeProblem } = runtime
  return { engine: createFaceEngine(createNetworks(models)), runtime: name, nativeProblem, ...problems }
}
