import { convolve, depthwiseFiltersOf, type Filters, filtersOf, normalise, scaled } from './graph-layers.ts'
import { createOnnxGraph, type OnnxGraph, type Value } from './onnx-graph.ts'
import type { Weight, Weights } from './weights.ts'

/** Grids that the detector looks for faces in, from the finest to the coarsest. */
export const GRIDS = 6

/** The network has three classes; the second one is a face. */
const CLASSES = 3
const FACE = 1

const BATCH_NORM_EPSILON = 0.001
const LAYERS = 13
/** These halve the picture. */
const HALVING = [2, 4, 6, 12]
/** The finest grid looks at what this layer gives. */
const FINEST_LAYER = 11

/** SSD MobileNet v1, as face-api computes it (its folder src/ssdMobilenetv1), for a picture of any size: uint8,
 *  1 × height × width × 3. For each grid it gives `scores<n>`, 1 × anchors × rows × columns, before the sigmoid, and
 *  `boxes<n>`, 1 × (4 anchors) × rows × columns. */
export function detectorGraph(weights: Weights): Buffer {
  const graph = createOnnxGraph('detector')
  const finest = finestFeatures(graph, weights)
  let value = layers(graph, weights, finest, { from: FINEST_LAYER + 1, to: LAYERS })
  const features = [finest, value]
  for (let layer = 0; features.length < GRIDS; layer += 2) {
    value = clipped(graph, convolve(graph, value, pointwise(weights, 'Prediction', layer)))
    value = clipped(graph, convolve(graph, value, pointwise(weights, 'Prediction', layer + 1), { step: 2 }))
    features.push(value)
  }
  for (const [grid, feature] of features.entries()) predict(graph, weights, feature, grid)
  return graph.toBytes()
}

/** The same network as far as its finest grid, the first one, needs it. It sees faces of up to about 100 pixels. */
export function finestGridGraph(weights: Weights): Buffer {
  const graph = createOnnxGraph('finest-grid')
  predict(graph, weights, finestFeatures(graph, weights), 0)
  return graph.toBytes()
}

function finestFeatures(graph: OnnxGraph, weights: Weights): Value {
  const pixels = graph.node('Cast', [graph.input('pixels', 'uint8', [1, 'height', 'width', 3])], { to: 1 })
  const value = normalise(graph, pixels, { mean: [127.5, 127.5, 127.5], divisor: 127.5 })
  const first = clipped(graph, convolve(graph, value, pointwise(weights, 'MobilenetV1', 0), { step: 2 }))
  return layers(graph, weights, first, { from: 1, to: FINEST_LAYER })
}

function layers(
  graph: OnnxGraph,
  weights: Weights,
  input: Value,
  { from, to }: { from: number; to: number },
): Value {
  let value = input
  for (let layer = from; layer <= to; layer++) {
    const filters = depthwise(weights, layer)
    const step = HALVING.includes(layer) ? 2 : 1
    value = clipped(graph, convolve(graph, value, filters, { step, group: filters.dims[0] }))
    value = clipped(graph, convolve(graph, value, pointwise(weights, 'MobilenetV1', layer)))
  }
  return value
}

function predict(graph: OnnxGraph, weights: Weights, feature: Value, grid: number): void {
  graph.output(`scores${grid}`, convolve(graph, feature, faceScores(weights, grid)))
  graph.output(`boxes${grid}`, convolve(graph, feature, predictor(weights, grid, 'BoxEncodingPredictor')))
}

function pointwise(weights: Weights, part: 'MobilenetV1' | 'Prediction', layer: number): Filters {
  const name = `${part}/Conv2d_${layer}_pointwise`
  return filtersOf(weights(`${name}/weights`), weights(`${name}/convolution_bn_offset`).data)
}

/** The batch normalisation that follows is a part of the filters. */
function depthwise(weights: Weights, layer: number): Filters {
  const name = `MobilenetV1/Conv2d_${layer}_depthwise`
  const { data: mean } = weights(`${name}/BatchNorm/moving_mean`)
  const { data: variance } = weights(`${name}/BatchNorm/moving_variance`)
  const { data: gamma } = weights(`${name}/BatchNorm/gamma`)
  const { data: beta } = weights(`${name}/BatchNorm/beta`)
  const factor = gamma.map((value, channel) => value / Math.sqrt(variance[channel]! + BATCH_NORM_EPSILON))
  const filters = depthwiseFiltersOf(
    weights(`${name}/depthwise_weights`),
    mean.map((value) => -value),
  )
  return scaled(filters, factor, beta)
}

function predictor(weights: Weights, grid: number, kind: string): Filters {
  const name = `Prediction/BoxPredictor_${grid}/${kind}`
  return filtersOf(weights(`${name}/weights`), weights(`${name}/biases`).data)
}

/** Only the scores of faces, of all classes' scores. */
function faceScores(weights: Weights, grid: number): Filters {
  const name = `Prediction/BoxPredictor_${grid}/ClassPredictor`
  const faces = ({ data, shape }: Weight): Weight => ({
    data: data.filter((_, index) => index % CLASSES === FACE),
    shape: [...shape.slice(0, -1), shape.at(-1)! / CLASSES],
  })
  return filtersOf(faces(weights(`${name}/weights`)), faces(weights(`${name}/biases`)).data)
}

function clipped(graph: OnnxGraph, value: Value): Value {
  return graph.node('Clip', [
    value,
    graph.constant(Float32Array.of(0), []),
    graph.constant(Float32Array.of(6), []),
  ])
}
