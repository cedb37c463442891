import sharp from 'sharp'
import { expect, test } from 'vitest'
import { MEAN_FACE } from './alignment.ts'
import type { Box } from './detections.ts'
import { createFaceEngine } from './engine.ts'
import { withinLimits } from './index-limits.ts'
import type { Networks } from './networks.ts'

/** A square box with its left upper corner at a place of a picture of 2,000 × 1,000 pixels. */
const face = (x: number, y: number, side: number, score = 0.9) => ({
  left: x / 2000,
  top: y / 1000,
  right: (x + side) / 2000,
  bottom: (y + side) / 1000,
  score,
})
const picture = { data: new Uint8Array(), width: 2000, height: 1000 }

test('faces under 24 pixels are left out as too small', () => {
  const { described, unindexed } = withinLimits([face(0, 0, 23.9), face(100, 100, 24.1)], picture)
  expect(described).toEqual([face(100, 100, 24.1)])
  expect(unindexed).toEqual([
    { reasons: ['SMALL_BOUNDING_BOX'], box: { left: 0, top: 0, width: 23.9 / 2000, height: 23.9 / 1000 } },
  ])
})

test('of more than 1,000 faces the largest are described, whatever their scores are', () => {
  const small = Array.from({ length: 100 }, (_, index) => face(index, 0, 25, 0.99))
  const large = Array.from({ length: 1_000 }, (_, index) => face(index, 100, 30 + index / 100, 0.3))
  const { described, unindexed } = withinLimits([...small, ...large], picture)
  expect(described).toEqual(large.toReversed())
  expect(unindexed).toHaveLength(100)
  expect(new Set(unindexed.flatMap(({ reasons }) => reasons))).toEqual(new Set(['EXCEEDS_MAX_FACES']))
})

test('a photo of 1,100 faces gives 1,000 descriptors and 100 faces that are left out', async () => {
  const { faces, unindexed } = await createFaceEngine(crowdNetworks(1_100)).describePhoto(await greyPhoto())
  expect(faces).toHaveLength(1_000)
  expect(unindexed).toHaveLength(100)
})

/** Networks that see a crowd of faces of 25 pixels in any picture. */
function crowdNetworks(count: number): Networks {
  const boxes: Box[] = Array.from({ length: count }, (_, index) => {
    const [left, top] = [(index % 34) * 15, Math.floor(index / 34) * 15]
    return { left, top, right: left + 25, bottom: top + 25, score: 0.9 }
  })
  const landmarks = Array.from({ length: 68 }, () => ({ x: 0, y: 0 }))
  for (const [landmark, x, y] of MEAN_FACE) landmarks[landmark] = { x, y }
  return {
    detectFaces: async () => boxes,
    detectSmallFaces: async () => [],
    findLandmarks: async (squares) => squares.map(() => landmarks),
    describeFaces: async (squares) => squares.map(() => new Float32Array(128)),
  }
}

function greyPhoto(): Promise<Buffer> {
  return sharp({ create: { width: 600, height: 600, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer()
}
