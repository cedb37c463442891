import { convolve, depthwiseFiltersOf, filtersOf, NO_PADS, normalise } from './graph-layers.ts'
import { createOnnxGraph, type OnnxGraph, type Value } from './onnx-graph.ts'
import type { Weights } from './weights.ts'

/** Pixels a side of the square in which the landmarks of a face are looked for. */
export const LANDMARK_SIZE = 112
/** The mean colour of the faces that both networks were trained on. */
export const MEAN_COLOUR = [122.782, 117.001, 104.298] as const

const BLOCKS = 4
/** Pixels a side after all blocks. */
const LAST_SIZE = 7

/** The network of the 68 landmarks, as face-api computes it (its folders src/faceLandmarkNet and
 *  src/faceFeatureExtractor): `squares`, float32, faces × 112 × 112 × 3, to `landmarks`, faces × 136: x and y in turn, in
 *  fractions of the square. */
export function landmarkGraph(weights: Weights): Buffer {
  const graph = createOnnxGraph('landmarks')
  const squares = graph.input('squares', 'float', ['faces', LANDMARK_SIZE, LANDMARK_SIZE, 3])
  let value = normalise(graph, squares, { mean: MEAN_COLOUR, divisor: 255 })
  for (let block = 0; block < BLOCKS; block++) value = denseBlock(graph, weights, value, block)
  value = graph.node('AveragePool', [value], { kernel_shape: [LAST_SIZE, LAST_SIZE], pads: NO_PADS })
  value = graph.node('Flatten', [value])
  const { data, shape } = weights('fc/weights')
  const { data: bias } = weights('fc/bias')
  graph.output(
    'landmarks',
    graph.node('Gemm', [value, graph.constant(data, shape), graph.constant(bias, [bias.length])]),
  )
  return graph.toBytes()
}

/** Four convolutions. Each one works on the sum of what those before it gave. */
function denseBlock(graph: OnnxGraph, weights: Weights, input: Value, block: number): Value {
  const first = `dense${block}/conv0`
  const relu = (value: Value) => graph.node('Relu', [value])
  let sum = relu(
    block === 0
      ? convolve(graph, input, filtersOf(weights(`${first}/filters`), weights(`${first}/bias`).data), {
          step: 2,
        })
      : separableConvolve(graph, weights, input, first, 2),
  )
  let value = sum
  for (let layer = 1; layer <= 3; layer++) {
    sum = graph.node('Add', [sum, separableConvolve(graph, weights, value, `dense${block}/conv${layer}`, 1)])
    value = relu(sum)
  }
  return value
}

function separableConvolve(
  graph: OnnxGraph,
  weights: Weights,
  input: Value,
  name: string,
  step: number,
): Value {
  const depthwise = weights(`${name}/depthwise_filter`)
  const channels = depthwise.shape[2]!
  const filters = depthwiseFiltersOf(depthwise, new Float32Array(channels))
  const each = convolve(graph, input, filters, { step, group: channels })
  return convolve(graph, each, filtersOf(weights(`${name}/pointwise_filter`), weights(`${name}/bias`).data))
}
