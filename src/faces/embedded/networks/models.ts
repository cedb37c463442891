import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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

type ModelName = keyof typeof MODELS

export type Models = Record<ModelName, Model>

/** Beside the code, because the files follow from the code alone. */
const FOLDER = join(import.meta.dirname, '../../../../models')

/** Loads the networks: 0.2 s from the folder, which takes 52 MB. A network whose file is missing is built from its weights,
 *  0.5 s in all, and its file is written.
 *  @param folder is made when it is missing. Several processes may use it at once
 *  @returns saveProblem: why a file could not be written. Everything works without it */
export async function loadModels(
  runtime: Runtime,
  folder = FOLDER,
): Promise<{ models: Models; saveProblem?: unknown }> {
  const models: Partial<Models> = {}
  let saveProblem: unknown
  for (const name of Object.keys(MODELS) as ModelName[]) {
    const { network, build } = MODELS[name]
    const files = await readWeightFiles(network)
    const hash = createHash('sha256').update(`${GRAPHS_VERSION}`).update(files.manifest).update(files.data)
    const path = join(folder, `${name}-${hash.digest('hex').slice(0, 16)}.onnx`)
    if (existsSync(path)) {
      models[name] = await runtime.load(await readFile(path))
    } else {
      const bytes = build(decodeWeights(files))
      models[name] = await runtime.load(bytes)
      saveProblem ??= await save(bytes, path).catch((error: unknown) => error)
    }
  }
  return { models: models as Models, saveProblem }
}

/** The file is there when it is whole. */
async function save(bytes: Buffer, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const partial = `${path}-${randomUUID()}.partial`
  try {
    await writeFile(partial, bytes, { flush: true })
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
}
