import { convolve, filtersOf, NO_PADS, normalise, type Pads, scaled } from './graph-layers.ts'
import { MEAN_COLOUR } from './landmark-graph.ts'
import { createOnnxGraph, type OnnxGraph, type Value } from './onnx-graph.ts'
import type { Weights } from './weights.ts'

/** Pixels a side of the square with an aligned face. */
export const RECOGNITION_SIZE = 150

/** The names of the residual blocks, in order. Those that end in `down` or `down_out` halve the picture. */
// biome-ignore format: one line for each number of channels
const BLOCKS = [
  'conv32_1', 'conv32_2', 'conv32_3',
  'conv64_down', 'conv64_1', 'conv64_2', 'conv64_3',
  'conv128_down', 'conv128_1', 'conv128_2',
  'conv256_down', 'conv256_1', 'conv256_2', 'conv256_down_out',
]

/** A picture inside the network. */
interface Picture {
  value: Value
  /** Pixels a side. */
  side: number
  channels: number
}

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
  const value = normalise(graph, squares, { mean: MEAN_COLOUR, divisor: 255 })
  let picture = convolution(layer, { value, side: RECOGNITION_SIZE, channels: 3 }, 'conv32_down', HALVING)
  picture = pooled(layer, relu(layer, picture), 'MaxPool', 3)
  for (const block of BLOCKS)
    picture = block.includes('down')
      ? halvingBlock(layer, picture, block)
      : residualBlock(layer, picture, block)
  const { data, shape } = weights('fc')
  const mean = graph.node('ReduceMean', [picture.value], { axes: [2, 3], keepdims: 0 })
  graph.output('descriptors', graph.node('MatMul', [mean, graph.constant(data, shape)]))
  return graph.toBytes()
}

function residualBlock(layer: Layer, picture: Picture, block: string): Picture {
  const first = relu(layer, convolution(layer, picture, `${block}/conv1`))
  const second = convolution(layer, first, `${block}/conv2`)
  return relu(layer, sum(layer, second, picture))
}

/** The picture itself is halved by averaging. Where a convolution gives one row and column less, zeros are added to it;
 *  where it gives twice as many channels, zeros are added to the averages. */
function halvingBlock(layer: Layer, picture: Picture, block: string): Picture {
  const first = relu(layer, convolution(layer, picture, `${block}/conv1`, HALVING))
  const second = convolution(layer, first, `${block}/conv2`)
  const average = pooled(layer, picture, 'AveragePool', 2)
  return relu(
    layer,
    sum(
      layer,
      padded(layer, second, { side: average.side, channels: second.channels }),
      padded(layer, average, { side: average.side, channels: second.channels }),
    ),
  )
}

interface Convolution {
  step?: number
  pads?: Pads
}

const HALVING: Convolution = { step: 2, pads: NO_PADS }

/** A convolution whose result is then scaled. The scale is a part of the filters. */
function convolution(
  { graph, weights }: Layer,
  input: Picture,
  name: string,
  options: Convolution = {},
): Picture {
  const filters = filtersOf(weights(`${name}/conv/filters`), weights(`${name}/conv/bias`).data)
  const all = scaled(filters, weights(`${name}/scale/weights`).data, weights(`${name}/scale/biases`).data)
  const [channels, , rows] = all.dims
  const { step = 1, pads } = options
  return {
    value: convolve(graph, input.value, all, options),
    side: pads ? Math.floor((input.side - rows) / step) + 1 : input.side,
    channels,
  }
}

function pooled(
  { graph }: Layer,
  { value, side, channels }: Picture,
  operator: string,
  size: number,
): Picture {
  return {
    value: graph.node(operator, [value], { kernel_shape: [size, size], strides: [2, 2], pads: NO_PADS }),
    side: Math.floor((side - size) / 2) + 1,
    channels,
  }
}

/** Zeros are added after the last row, column and channel. */
function padded({ graph }: Layer, picture: Picture, { side, channels }: Omit<Picture, 'value'>): Picture {
  const lines = side - picture.side
  const more = channels - picture.channels
  if (lines === 0 && more === 0) return picture
  const pads = graph.integers([0, 0, 0, 0, 0, more, lines, lines])
  return { value: graph.node('Pad', [picture.value, pads]), side, channels }
}

function sum({ graph }: Layer, one: Picture, other: Picture): Picture {
  return { ...one, value: graph.node('Add', [one.value, other.value]) }
}

function relu({ graph }: Layer, picture: Picture): Picture {
  return { ...picture, value: graph.node('Relu', [picture.value]) }
}
