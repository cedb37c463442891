import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { detectorGraph, finestGridGraph } from './detector-graph.ts'
import { landmarkGraph } from './landmark-graph.ts'
import { recognitionGraph } from './recognition-graph.ts'
import type { Model, Runtime } from './runtime.ts'
import { decodeWeights, type NetworkName, readWeightFiles, type Weights } from './weights.ts'

/** Has to change whenever a graph changes for the same weights. */
const GRAPHS_VERSION = 1

const MODELS = {
  detector: { network: 'ssd_mobilenetv1', build: detectorGraph },
  finestGrid: { network: 'ssd_mobilenetv1', build: finestGridGraph },
  landmarks: { network: 'face_landmark_68', build: landmarkGraph },
  recognition: { network: 'face_recognition', build: recognitionGraph },
} as const satisfies Record<string, { network: NetworkName; build(weights: Weights): Buffer }>

export type ModelName = keyof typeof MODELS

export type Models = Record<ModelName, Model>

/** Beside the code, because the files follow from the code alone. */
const FOLDER = join(import.meta.dirname, '../../../models')

/** Loads the networks: 0.2 s from the folder, which takes 52 MB. When a file is missing there, damaged, or of
 *  another version, the network is built from its weights, 0.5 s in all, and the file is written.
 *  @param folder is made when it is missing. Several processes may use it at once
 *  @returns saveProblem: why a network could not be saved for the next start. Everything works without it */
export async function loadModels(
  runtime: Runtime,
  folder = FOLDER,
): Promise<{ models: Models; saveProblem?: unknown }> {
  const models: Partial<Models> = {}
  let saveProblem: unknown
  for (const name of Object.keys(MODELS) as ModelName[]) {
    const { model, problem } = await loadModel(runtime, folder, name)
    models[name] = model
    saveProblem ??= problem
  }
  return { models: models as Models, saveProblem }
}

async function loadModel(
  runtime: Runtime,
  folder: string,
  name: ModelName,
): Promise<{ model: Model; problem?: unknown }> {
  const { network, build } = MODELS[name]
  const files = await readWeightFiles(network)
  const hash = createHash('sha256').update(`${GRAPHS_VERSION}`).update(files.manifest).update(files.data)
  const file = `${name}-${hash.digest('hex').slice(0, 16)}.onnx`
  try {
    return { model: await runtime.load(join(folder, file)) }
  } catch {
    const bytes = build(decodeWeights(files))
    const model = await runtime.load(bytes)
    return { model, problem: await save(bytes, folder, file, name) }
  }
}

/** @returns why it could not be saved; undefined when it was */
async function save(bytes: Buffer, folder: string, file: string, name: ModelName): Promise<unknown> {
  const partial = join(folder, `${randomUUID()}.partial`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(partial, bytes, { flush: true })
    await rename(partial, join(folder, file))
    await removeFormer(folder, file, name)
    return undefined
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined)
    return error
  }
}

async function removeFormer(folder: string, file: string, name: ModelName): Promise<void> {
  const former = (await readdir(folder)).filter((other) => other.startsWith(`${name}-`) && other !== file)
  await Promise.all(former.map((other) => rm(join(folder, other), { force: true })))
}
