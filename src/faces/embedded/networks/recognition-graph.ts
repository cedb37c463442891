import { convolve, filtersOf, NO_PADS, normalise, type Pads, scaled } from './graph-layers.ts'
import { MEAN_COLOUR } from './landmark-graph.ts'
import { createOnnxGraph, type OnnxGraph, type Value } from './onnx-graph.ts'
import type { Weights } from './weights.ts'

/** Pixels a side of the square with an aligned face. */
export const RECOGNITION_SIZE = 150

/** The names of the residual blocks, in order. Some halve the picture: they have the zeros that are missing in what is added
 *  up there. */
const BLOCKS: readonly (readonly [name: string, halving?: { channels: number; lines: number }])[] = [
  ...([['conv32_1'], ['conv32_2'], ['conv32_3']] as const),
  ['conv64_down', { channels: 32, lines: 0 }],
  ...([['conv64_1'], ['conv64_2'], ['conv64_3']] as const),
  ['conv128_down', { channels: 64, lines: 0 }],
  ...([['conv128_1'], ['conv128_2']] as const),
  ['conv256_down', { channels: 128, lines: 1 }],
  ...([['conv256_1'], ['conv256_2']] as const),
  ['conv256_down_out', { channels: 0, lines: 1 }],
]

interface Layer {
  graph: OnnxGraph
  weights: Weights
}

/** The recognition network (a ResNet of dlib), as face-api computes it (its folder src/faceRecognitionNet): `squares`,
 *  float32, faces × 150 × 150 × 3, to `descriptors`, faces × 128. */
export function recognitionGraph(weights: Weights): Buffer {
  const graph = createOnnxGraph('recognition')
  const layer = { graph, weights }
  const squares = graph.input('squares', 'float', ['faces', RECOGNITION_SIZE, RECOGNITION_SIZE, 3])
  const pixels = normalise(graph, squares, { mean: MEAN_COLOUR, divisor: 255 })
  const first = graph.node('Relu', [convolution(layer, pixels, 'conv32_down', HALVING)])
  let value = pooled(graph, first, 'MaxPool', 3)
  for (const [block, halving] of BLOCKS) value = residualBlock(layer, value, block, halving)
  const { data, shape } = weights('fc')
  const mean = graph.node('ReduceMean', [value], { axes: [2, 3], keepdims: 0 })
  graph.output('descriptors', graph.node('MatMul', [mean, graph.constant(data, shape)]))
  return graph.toBytes()
}

/** Two convolutions whose result is added to the picture itself, or to the picture halved by averaging. Where a convolution
 *  gives one row and column less than that, zeros are added to its result; where it gives more channels, zeros are added to
 *  the averages. */
function residualBlock(
  layer: Layer,
  input: Value,
  block: string,
  halving?: { channels: number; lines: number },
): Value {
  const { graph } = layer
  const first = graph.node('Relu', [convolution(layer, input, `${block}/conv1`, halving && HALVING)])
  const second = convolution(layer, first, `${block}/conv2`)
  if (!halving) return graph.node('Relu', [graph.node('Add', [second, input])])
  const average = pooled(graph, input, 'AveragePool', 2)
  const { channels, lines } = halving
  const terms = [padded(graph, second, 0, lines), padded(graph, average, channels, 0)]
  return graph.node('Relu', [graph.node('Add', terms)])
}

const HALVING = { step: 2, pads: NO_PADS }

/** A convolution whose result is then scaled. The scale is a part of the filters. */
function convolution(
  { graph, weights }: Layer,
  input: Value,
  name: string,
  options?: { step: number; pads: Pads },
): Value {
  const filters = filtersOf(weights(`${name}/conv/filters`), weights(`${name}/conv/bias`).data)
  const all = scaled(filters, weights(`${name}/scale/weights`).data, weights(`${name}/scale/biases`).data)
  return convolve(graph, input, all, options)
}

function pooled(graph: OnnxGraph, input: Value, operator: string, size: number): Value {
  return graph.node(operator, [input], { kernel_shape: [size, size], strides: [2, 2], pads: NO_PADS })
}

/** Zeros are added after the last row, column and channel. */
function padded(graph: OnnxGraph, input: Value, channels: number, lines: number): Value {
  if (channels === 0 && lines === 0) return input
  return graph.node('Pad', [input, graph.integers([0, 0, 0, 0, 0, channels, lines, lines])])
}
