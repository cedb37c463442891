import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Point } from './alignment.ts'
import type { Pixels } from './pixels.ts'

type FaceApi = typeof import('@vladmandic/face-api/dist/face-api.node-wasm.js')
type Tensorflow = typeof import('@tensorflow/tfjs')
type Wasm = typeof import('@tensorflow/tfjs-backend-wasm')
type NetInput = Parameters<FaceApi['nets']['faceLandmark68Net']['detectLandmarks']>[0]

/** Edges, in fractions of the picture. They may be outside it. */
export interface Detection {
  left: number
  top: number
  right: number
  bottom: number
  /** 0–1. */
  score: number
}

/** The three networks of @vladmandic/face-api. Each frees the tensors it makes. */
export interface Networks {
  /** SSD MobileNet v1. It sees 512 × 512 pixels, whatever the picture's size. */
  detectFaces(picture: Pixels): Promise<Detection[]>
  /** The 68 landmarks of the face that fills a square of LANDMARK_SIZE, in fractions of it. */
  findLandmarks(square: Float32Array): Promise<Point[]>
  /** The 128 numbers of the aligned face in a square of RECOGNITION_SIZE. */
  describeFace(square: Float32Array): Promise<Float32Array>
  /** Tensors that exist in this process. */
  tensorCount(): number
}

/** Pixels a side. */
export const DETECTION_SIZE = 512
export const LANDMARK_SIZE = 112
export const RECOGNITION_SIZE = 150

/** With 0.4 it found all 22 faces of the package's six event photos, the weakest at 0.65, and nothing else. */
const MIN_CONFIDENCE = 0.4
const MAX_FACES = 100

/** Loads the weights from the package's own folder into this process: about 0.3 s. */
export async function loadNetworks(): Promise<Networks> {
  const require = createRequire(import.meta.url)
  const wasm: Wasm = require('@tensorflow/tfjs-backend-wasm')
  const tf: Tensorflow = require('@tensorflow/tfjs')
  const { nets, SsdMobilenetv1Options }: FaceApi = require('@vladmandic/face-api/dist/face-api.node-wasm.js')
  wasm.setWasmPaths(join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json')), 'dist/'))
  await tf.setBackend('wasm')
  await tf.ready()
  const models = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'model')
  await nets.ssdMobilenetv1.loadFromDisk(models)
  await nets.faceLandmark68Net.loadFromDisk(models)
  await nets.faceRecognitionNet.loadFromDisk(models)
  const options = new SsdMobilenetv1Options({ minConfidence: MIN_CONFIDENCE, maxResults: MAX_FACES })

  async function withTensor<T>(
    { data, width, height }: { data: Uint8Array | Float32Array; width: number; height: number },
    use: (tensor: NetInput) => Promise<T>,
  ): Promise<T> {
    const tensor = tf.tensor3d(data, [height, width, 3], data instanceof Float32Array ? 'float32' : 'int32')
    try {
      // The same class at run time; face-api's types declare a copy of it.
      return await use(tensor as unknown as NetInput)
    } finally {
      tensor.dispose()
    }
  }

  return {
    async detectFaces(picture) {
      const found = await withTensor(picture, (tensor) => nets.ssdMobilenetv1.locateFaces(tensor, options))
      return found.map(({ score, relativeBox: { left, top, right, bottom } }) => ({
        left,
        top,
        right,
        bottom,
        score,
      }))
    },

    async findLandmarks(data) {
      const landmarks = await withTensor({ data, width: LANDMARK_SIZE, height: LANDMARK_SIZE }, (tensor) =>
        nets.faceLandmark68Net.detectLandmarks(tensor),
      )
      if (Array.isArray(landmarks)) throw new TypeError('One picture has one set of landmarks.')
      return landmarks.relativePositions.map(({ x, y }) => ({ x, y }))
    },

    async describeFace(data) {
      const descriptor = await withTensor(
        { data, width: RECOGNITION_SIZE, height: RECOGNITION_SIZE },
        (tensor) => nets.faceRecognitionNet.computeFaceDescriptor(tensor),
      )
      if (Array.isArray(descriptor)) throw new TypeError('One picture has one descriptor.')
      return descriptor
    },

    tensorCount: () => tf.memory().numTensors,
  }
}
