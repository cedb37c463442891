import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
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
const FOLDER = join(import.meta.dirname, '../../../../models')

interface Problems {
  /** Why a file could not be used though it was there: it was damaged, and its network was built again. */
  damage?: unknown
  /** Why a network could not be saved for the next start. Everything works without it. */
  saveProblem?: unknown
}

/** Loads the networks: 0.2 s from the folder, which takes 52 MB. When a file is missing there, damaged, or of
 *  another version, the network is built from its weights, 0.5 s in all, and the file is written.
 *  @param folder is made when it is missing. Several processes may use it at once */
export async function loadModels(runtime: Runtime, folder = FOLDER): Promise<{ models: Models } & Problems> {
  const models: Partial<Models> = {}
  const problems: Problems = {}
  for (const name of Object.keys(MODELS) as ModelName[]) {
    const { model, damage, saveProblem } = await loadModel(runtime, folder, name)
    models[name] = model
    problems.damage ??= damage
    problems.saveProblem ??= saveProblem
  }
  return { models: models as Models, ...problems }
}

async function loadModel(
  runtime: Runtime,
  folder: string,
  name: ModelName,
): Promise<{ model: Model } & Problems> {
  const { network, build } = MODELS[name]
  const files = await readWeightFiles(network)
  const hash = createHash('sha256').update(`${GRAPHS_VERSION}`).update(files.manifest).update(files.data)
  const version = `${name}-${hash.digest('hex').slice(0, 16)}`
  const { model: stored, damage } = await loadStored(runtime, folder, version)
  if (stored) return { model: stored }
  const bytes = build(decodeWeights(files))
  const model = await runtime.load(bytes)
  const saveProblem = await save(bytes, folder, fileName(version, crc32(bytes)), name)
  return { model, damage, saveProblem }
}

/** A file's name has its checksum, because a network with one changed byte may load, and describe each face wrongly. */
function fileName(version: string, checksum: number): string {
  return `${version}-${checksum.toString(16).padStart(8, '0')}.onnx`
}

async function loadStored(
  runtime: Runtime,
  folder: string,
  version: string,
): Promise<{ model?: Model; damage?: unknown }> {
  try {
    const file = (await readdir(folder)).find((other) => other.startsWith(`${version}-`))
    if (!file) return {}
    const path = join(folder, file)
    if (fileName(version, crc32(await readFile(path))) !== file)
      throw new Error(`${path} is not the file that was written. It is written again.`)
    return { model: await runtime.load(path) }
  } catch (error) {
    // No folder yet, or another process has just removed this file.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? {} : { damage: error }
  }
}

/** @returns why it could not be saved; undefined when it was */
async function save(bytes: Buffer, folder: string, file: string, name: ModelName): Promise<unknown> {
  const partial = join(folder, `${randomUUID()}.partial`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(partial, bytes, { flush: true })
    await rename(partial, join(folder, file))
    const older = (await readdir(folder)).filter((other) => other.startsWith(`${name}-`) && other !== file)
    await Promise.all(older.map((other) => rm(join(folder, other), { force: true })))
    return undefined
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined)
    return error
  }
}
