import type { InferenceSession } from 'onnxruntime-node'

export const RUNTIMES = ['native', 'wasm'] as const
export type RuntimeName = (typeof RUNTIMES)[number]

/** Numbers that go into a network or come out of it. */
export interface Numbers<Data extends Float32Array | Uint8Array = Float32Array> {
  data: Data
  dims: readonly number[]
}

/** A network that is loaded. A call blocks its thread until the answer is there. */
export interface Model {
  run(input: Numbers<Float32Array | Uint8Array>): Promise<Record<string, Numbers>>
}

/** ONNX Runtime: its native build, or the one for WebAssembly. */
export interface Runtime {
  name: RuntimeName
  /** Why the native build did not load. */
  nativeProblem?: unknown
  /** @param model in the ONNX format. Throws when it cannot be loaded. */
  load(model: Uint8Array): Promise<Model>
}

/** What both builds have in common. */
type OnnxRuntime = Pick<typeof import('onnxruntime-node'), 'InferenceSession' | 'Tensor'>

const OPTIONS = {
  executionProviders: ['cpu'],
  graphOptimizationLevel: 'all',
  interOpNumThreads: 1,
  // Without the pattern a process has 45 MB less, in the same time. Without the arena the detector needs 35% more.
  enableMemPattern: false,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
} satisfies InferenceSession.SessionOptions

/** Loads the native build, or that for WebAssembly where the native one does not load: it needs glibc, on x64 or arm64.
 *  @param wanted loads only this build, and throws when it does not load
 *  @param threads of the native build. The one for WebAssembly has one */
export async function loadRuntime(wanted?: RuntimeName, threads = 1): Promise<Runtime> {
  let nativeProblem: unknown
  if (wanted !== 'wasm')
    try {
      return runtimeOf('native', await import('onnxruntime-node'), { ...OPTIONS, intraOpNumThreads: threads })
    } catch (error) {
      if (wanted === 'native') throw error
      nativeProblem = error
    }
  const wasm = await import('onnxruntime-web/wasm')
  wasm.env.wasm.numThreads = 1
  return { ...runtimeOf('wasm', wasm, { ...OPTIONS, executionProviders: ['wasm'] }), nativeProblem }
}

function runtimeOf(
  name: RuntimeName,
  { InferenceSession, Tensor }: OnnxRuntime,
  options: InferenceSession.SessionOptions,
): Runtime {
  return {
    name,
    async load(model) {
      const session = await InferenceSession.create(model, options)
      const [input] = session.inputNames as [string]
      return {
        async run({ data, dims }) {
          const type = data instanceof Float32Array ? 'float32' : 'uint8'
          const results = await session.run({ [input]: new Tensor(type, data, dims) })
          return Object.fromEntries(
            Object.entries(results).map(([output, { data: numbers, dims: sides }]) => [
              output,
              { data: numbers as Float32Array, dims: sides },
            ]),
          )
        },
      }
    },
  }
}
