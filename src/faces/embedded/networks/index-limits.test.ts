import { expect, test } from 'vitest'
import { withinLimits } from './index-limits.ts'

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
