import { beforeAll, expect, test } from 'vitest'
import { loadPlainFaceApi, type PlainFaceApi } from '../../testing/plain-face-api.ts'
import { samplePhotos } from '../../testing/sample-photos.ts'
import { cutSquare } from './alignment.ts'
import { type Box, boxesOf } from './detections.ts'
import { GRIDS } from './detector-graph.ts'
import { LANDMARK_SIZE } from './landmark-graph.ts'
import { loadModels, type Models } from './models.ts'
import { createNetworks, type Networks } from './networks.ts'
import { type Pixels, readPixels } from './pixels.ts'
import { RECOGNITION_SIZE } from './recognition-graph.ts'
import { loadRuntime, RUNTIMES } from './runtime.ts'

const SIZE = 512

let plain: PlainFaceApi
beforeAll(async () => {
  plain = await loadPlainFaceApi()
})

test.for(['a photo', 'noise'])(
  'the detector gives the boxes and scores that face-api gives for %s',
  async (what) => {
    const picture = what === 'noise' ? noise() : await squareOf(samplePhotos()[4]!)
    const { models } = await loadModels(await loadRuntime())
    const [ours, expected] = [await allBoxes(models, picture), await plain.detect(picture)]
    expect(ours).toHaveLength(expected.scores.length)
    const edges = ours.flatMap(({ top, left, bottom, right }) =>
      [top, left, bottom, right].map((edge) => edge / SIZE),
    )
    expect(furthest(edges, expected.boxes)).toBeLessThan(1e-5)
    expect(
      furthest(
        ours.map(({ score }) => score),
        expected.scores,
      ),
    ).toBeLessThan(1e-5)
  },
)

test.for(RUNTIMES)(
  'the landmarks and descriptors are those of face-api, on the %s runtime',
  async (runtime) => {
    const networks = await networksOn(runtime)
    const photo = await readPixels(samplePhotos()[0]!, 1920)
    const centres = [0.3, 0.5, 0.6].map((part) => ({
      centreX: part * photo.width,
      centreY: part * photo.height,
    }))
    const cut = (size: number) => [
      ...centres.map((centre) => cutSquare(photo, { ...centre, side: 300, angle: 0.2 }, size)),
      Float32Array.from(noise().data.subarray(0, size * size * 3)),
    ]
    // A batch of four, and face-api one by one.
    const landmarks = await networks.findLandmarks(cut(LANDMARK_SIZE))
    for (const [index, square] of cut(LANDMARK_SIZE).entries())
      expect(
        furthest(
          landmarks[index]!.flatMap(({ x, y }) => [x, y]),
          await plain.landmarks(square),
        ),
      ).toBeLessThan(1e-5)
    const descriptors = await networks.describeFaces(cut(RECOGNITION_SIZE))
    for (const [index, square] of cut(RECOGNITION_SIZE).entries())
      expect(furthest(descriptors[index]!, await plain.descriptor(square))).toBeLessThan(1e-5)
  },
)

async function networksOn(runtime: (typeof RUNTIMES)[number]): Promise<Networks> {
  return createNetworks((await loadModels(await loadRuntime(runtime))).models)
}

/** All boxes of all grids in face-api's order: for each cell, all of its anchors. */
async function allBoxes({ detector }: Models, { data, width, height }: Pixels): Promise<Box[]> {
  const outputs = await detector.run({ data, dims: [1, height, width, 3] })
  return Array.from({ length: GRIDS }, (_, grid) => {
    const scores = outputs[`scores${grid}`]!
    const [, anchors, rows, columns] = scores.dims as [number, number, number, number]
    const boxes = boxesOf(
      grid,
      { rows, columns, scores: scores.data, boxes: outputs[`boxes${grid}`]!.data },
      0,
    )
    return Array.from(boxes.keys(), (place) => {
      const cell = Math.floor(place / anchors)
      return boxes[(place % anchors) * rows * columns + cell]!
    })
  }).flat()
}

async function squareOf(photo: Buffer): Promise<Pixels> {
  return squared(await readPixels(photo, SIZE))
}

/** With black pixels below or to the right, as face-api fills it up. */
function squared({ data, width, height }: Pixels): Pixels {
  const square = new Uint8Array(SIZE * SIZE * 3)
  for (let row = 0; row < height; row++)
    square.set(data.subarray(row * width * 3, (row + 1) * width * 3), row * SIZE * 3)
  return { data: square, width: SIZE, height: SIZE }
}

/** The same at every run. */
function noise(): Pixels {
  let state = 1
  const data = Uint8Array.from({ length: SIZE * SIZE * 3 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state >> 16
  })
  return { data, width: SIZE, height: SIZE }
}

function furthest(ours: ArrayLike<number>, expected: ArrayLike<number>): number {
  let most = 0
  for (let index = 0; index < expected.length; index++)
    most = Math.max(most, Math.abs(ours[index]! - expected[index]!))
  return most
}
