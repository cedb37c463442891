import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A network of @vladmandic/face-api, as its files are named. */
export type NetworkName = 'ssd_mobilenetv1' | 'face_landmark_68' | 'face_recognition'

/** Numbers with a shape, in TensorFlow's order: rows, columns, channels in, channels out. */
export interface Weight {
  data: Float32Array
  shape: readonly number[]
}

/** Gives a weight by its name in the package. Throws when there is none. */
export type Weights = (name: string) => Weight

export interface WeightFiles {
  manifest: Buffer
  data: Buffer
}

/** One entry of a manifest, which TensorFlow.js' converter writes. */
interface Entry {
  name: string
  shape: number[]
  /** Then the file has one byte for each number: number = byte × scale + min. Otherwise it has float32. */
  quantization?: { dtype: 'uint8'; scale: number; min: number }
}

/** The package's files of a network. */
export async function readWeightFiles(network: NetworkName): Promise<WeightFiles> {
  const require = createRequire(import.meta.url)
  const folder = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'model')
  const [manifest, data] = await Promise.all([
    readFile(join(folder, `${network}_model-weights_manifest.json`)),
    readFile(join(folder, `${network}_model.bin`)),
  ])
  return { manifest, data }
}

/** All numbers of a network. */
export function decodeWeights({ manifest, data }: WeightFiles): Weights {
  const [{ weights: entries }] = JSON.parse(manifest.toString()) as [{ weights: Entry[] }]
  const weights = new Map<string, Weight>()
  let offset = 0
  for (const { name, shape, quantization } of entries) {
    const count = shape.reduce((product, side) => product * side, 1)
    const bytes = quantization ? count : 4 * count
    // A copy begins at an address that a Float32Array may begin at.
    const part = Uint8Array.from(data.subarray(offset, offset + bytes))
    const numbers = quantization
      ? new Float32Array(part).map((byte) => byte * quantization.scale + quantization.min)
      : new Float32Array(part.buffer)
    weights.set(name, { shape, data: numbers })
    offset += bytes
  }
  if (offset !== data.length) throw new Error(`The weights have ${data.length} bytes instead of ${offset}.`)

  return (name) => {
    const weight = weights.get(name)
    if (!weight) throw new Error(`The network has no weight '${name}'.`)
    return weight
  }
}
