import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import type { Pixels } from '../../src/faces/embedded/networks/pixels.ts'

type FaceApi = typeof import('@vladmandic/face-api/dist/face-api.node-wasm.js')
type Tensorflow = typeof import('@tensorflow/tfjs-core')
type Wasm = typeof import('@tensorflow/tfjs-backend-wasm')

/** face-api's own code, on WebAssembly in one thread. */
export interface PlainFaceApi {
  /** All that face-api does with a photo. @returns the number of faces */
  describe(photo: Pixels): Promise<number>
}

export async function loadPlainFaceApi(): Promise<PlainFaceApi> {
  const require = createRequire(import.meta.url)
  // face-api asks for TensorFlow.js with all that belongs to it, 140 MB. It uses the core only.
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      next(name === '@tensorflow/tfjs' ? '@tensorflow/tfjs-core' : name, context),
  })
  const tf: Tensorflow = require('@tensorflow/tfjs-core')
  const wasm: Wasm = require('@tensorflow/tfjs-backend-wasm')
  addMethods(tf)
  const faceApi: FaceApi = require('@vladmandic/face-api/dist/face-api.node-wasm.js')
  hooks.deregister()
  wasm.setWasmPaths(join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json')), 'dist/'))
  await tf.setBackend('wasm')
  const { nets, SsdMobilenetv1Options, detectAllFaces } = faceApi
  const models = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'model')
  for (const net of [nets.ssdMobilenetv1, nets.faceLandmark68Net, nets.faceRecognitionNet])
    await net.loadFromDisk(models)
  const options = new SsdMobilenetv1Options({ minConfidence: 0.4 })

  return {
    async describe({ data, width, height }) {
      const tensor = tf.tensor3d(data, [height, width, 3], 'int32')
      const faces = await detectAllFaces(tensor as never, options)
        .withFaceLandmarks()
        .withFaceDescriptors()
      tensor.dispose()
      return faces.length
    },
  }
}

/** The package that is left out gives tensors these methods. */
function addMethods(tf: Tensorflow): void {
  const methods: Record<string, (this: InstanceType<Tensorflow['Tensor']>, ...given: never[]) => unknown> = {}
  for (const name of ['add', 'sub', 'mul', 'div', 'mean'] as const)
    methods[name] = function (...given) {
      return (tf[name] as (...all: unknown[]) => unknown)(this, ...given)
    }
  for (const count of [1, 2, 3, 4])
    methods[`as${count}D`] = function (...shape) {
      return tf.reshape(this, count === 1 ? [this.size] : shape)
    }
  methods.toFloat = function () {
    return tf.cast(this, 'float32')
  }
  Object.assign(tf.Tensor.prototype, methods)
}
