import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { createFaceWorkers } from '../../src/faces/embedded/face-workers.ts'
import { readPixels } from '../../src/faces/embedded/pixels.ts'
import { createLog } from '../../src/log.ts'
import { processorMsOf } from '../../src/processes/process-figures.ts'
import { samplePhotos } from '../../src/testing/sample-photos.ts'

type FaceApi = typeof import('@vladmandic/face-api/dist/face-api.node-wasm.js')
type Tensorflow = typeof import('@tensorflow/tfjs')
type Wasm = typeof import('@tensorflow/tfjs-backend-wasm')

const ROUNDS = 5
const WIDTH = 1920

/** Measures how many photos a second are described. Our engine has one process per core; the yardstick is a plain program
 *  with face-api that takes one photo after another in one thread. Both take turns on the same six photos, decoded by
 *  the same code at full size. The first round of each only warms up. */
export async function benchIndexPhotos(): Promise<void> {
  const photos = samplePhotos()
  const cores = availableParallelism()
  const describePlainly = await plainFaceApi()
  const workers = createFaceWorkers({ log: createLog('warn'), size: cores })
  await workers.start()
  // Each process gets twice as many photos as the yardstick, so that cores idle at the end matter little.
  const many = Array.from({ length: cores * 2 }, () => photos).flat()
  const ours: Speed[] = []
  const plain: Speed[] = []
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      ours.push(
        await measure(many, (all) => Promise.all(all.map((one) => workers.describeFaces(one, 'an album')))),
      )
      plain.push(
        await measure(photos, async (all) => {
          for (const one of all) await describePlainly(one)
        }),
      )
    }
  } finally {
    await workers.close()
  }
  ours.shift()
  plain.shift()
  const ratios = ours.map((speed, round) => speed.perSecond / plain[round]!.perSecond / cores)
  console.log(`Indexing, ${cores} cores, ${ROUNDS} rounds, median (lowest–highest):`)
  console.log(`  our processes                ${speedOf(ours)}`)
  console.log(`  plain face-api, one thread   ${speedOf(plain)}`)
  console.log(`  ours ÷ (cores × plain)       ${spread(ratios)}   aim: at least 0.90`)
}

async function plainFaceApi(): Promise<(image: Buffer) => Promise<number>> {
  const require = createRequire(import.meta.url)
  const tf: Tensorflow = require('@tensorflow/tfjs')
  const wasm: Wasm = require('@tensorflow/tfjs-backend-wasm')
  const faceApi: FaceApi = require('@vladmandic/face-api/dist/face-api.node-wasm.js')
  wasm.setWasmPaths(join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json')), 'dist/'))
  await tf.setBackend('wasm')
  const models = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'model')
  await faceApi.nets.ssdMobilenetv1.loadFromDisk(models)
  await faceApi.nets.faceLandmark68Net.loadFromDisk(models)
  await faceApi.nets.faceRecognitionNet.loadFromDisk(models)
  const options = new faceApi.SsdMobilenetv1Options({ minConfidence: 0.4 })
  return async (image) => {
    const { data, width, height } = await readPixels(image, WIDTH)
    const tensor = tf.tensor3d(data, [height, width, 3], 'int32')
    const faces = await faceApi.detectAllFaces(tensor, options).withFaceLandmarks().withFaceDescriptors()
    tensor.dispose()
    return faces.length
  }
}

interface Speed {
  perSecond: number
  /** Processor seconds for a photo; unlike the speed, it does not depend on other programs. */
  processor: number
}

async function measure(photos: Buffer[], work: (photos: Buffer[]) => Promise<unknown>): Promise<Speed> {
  const start = performance.now()
  const before = processorMs()
  await work(photos)
  return {
    perSecond: (photos.length * 1_000) / (performance.now() - start),
    processor: (processorMs() - before) / 1_000 / photos.length,
  }
}

/** The processor time of this process and its children. */
function processorMs(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
  return [process.pid, ...children.split(' ').filter(Boolean).map(Number)]
    .map(processorMsOf)
    .reduce((sum, ms) => sum + ms)
}

function speedOf(speeds: Speed[]): string {
  const perSecond = spread(speeds.map((speed) => speed.perSecond))
  return `${perSecond} photos/s, ${spread(speeds.map((speed) => speed.processor))} processor s a photo`
}

function spread(values: number[]): string {
  const sorted = values.toSorted((one, other) => one - other)
  const median = sorted[Math.floor(sorted.length / 2)]!
  return `${median.toFixed(2)} (${sorted[0]!.toFixed(2)}–${sorted.at(-1)!.toFixed(2)})`
}

if (import.meta.main) await benchIndexPhotos()
