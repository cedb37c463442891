import type { OnnxGraph, Value } from './onnx-graph.ts'
import type { Weight } from './weights.ts'

/** Filters and biases of a convolution, ready for ONNX: channels out, channels in, rows, columns. */
export interface Filters {
  filters: Float32Array
  dims: readonly [number, number, number, number]
  bias: Float32Array
}

/** Zeros around the picture: top, left, bottom, right. */
export type Pads = readonly [number, number, number, number]

export const NO_PADS: Pads = [0, 0, 0, 0]

/** The zeros that TensorFlow's padding 'same' adds for filters of 1 or 3 pixels.
 *
 *  For a step of 2, TensorFlow adds them below and to the right of a side of an even length. One line more changes
 *  nothing there, and an odd length then keeps the same places as an even one. */
function samePads(size: number, step: number): Pads {
  if (size === 1) return NO_PADS
  return step === 1 ? [1, 1, 1, 1] : [0, 0, 2, 2]
}

/** From TensorFlow's order to that of ONNX. */
export function filtersOf({ data, shape }: Weight, bias: Float32Array): Filters {
  const [rows, columns, into, out] = shape as [number, number, number, number]
  const filters = new Float32Array(data.length)
  let from = 0
  for (let place = 0; place < rows * columns; place++)
    for (let channel = 0; channel < into; channel++)
      for (let filter = 0; filter < out; filter++)
        filters[(filter * into + channel) * rows * columns + place] = data[from++]!
  return { filters, dims: [out, into, rows, columns], bias }
}

/** A filter for each channel. TensorFlow has its channels in the third place. */
export function depthwiseFiltersOf({ data, shape }: Weight, bias: Float32Array): Filters {
  const [rows, columns, channels] = shape as [number, number, number]
  return filtersOf({ data, shape: [rows, columns, 1, channels] }, bias)
}

/** Filters whose results are multiplied by `factor` and then increased by `summand`, for each channel out. */
export function scaled(
  { filters, dims, bias }: Filters,
  factor: Float32Array,
  summand: Float32Array,
): Filters {
  const size = filters.length / dims[0]
  return {
    filters: filters.map((value, index) => value * factor[Math.floor(index / size)]!),
    dims,
    bias: bias.map((value, channel) => value * factor[channel]! + summand[channel]!),
  }
}

/** A convolution. With one channel in and many out, each filter works on its own channel (`group`). */
export function convolve(
  graph: OnnxGraph,
  input: Value,
  { filters, dims, bias }: Filters,
  {
    step = 1,
    pads = samePads(dims[2], step),
    group = 1,
  }: { step?: number; pads?: Pads; group?: number } = {},
): Value {
  return graph.node('Conv', [input, graph.constant(filters, dims), graph.constant(bias, [bias.length])], {
    kernel_shape: [dims[2], dims[3]],
    strides: [step, step],
    pads,
    group,
  })
}

/** Pixels from 0 to 255, row by row, as the networks take them: channel by channel, less `mean`, divided by `divisor`. */
export function normalise(
  graph: OnnxGraph,
  pixels: Value,
  { mean, divisor }: { mean: readonly [number, number, number]; divisor: number },
): Value {
  const channels = graph.node('Transpose', [pixels], { perm: [0, 3, 1, 2] })
  const centred = graph.node('Sub', [channels, graph.constant(Float32Array.from(mean), [1, 3, 1, 1])])
  return graph.node('Div', [centred, graph.constant(Float32Array.of(divisor), [1])])
}
