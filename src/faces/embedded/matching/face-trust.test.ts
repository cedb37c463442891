import { expect, test } from 'vitest'
import { strictnessOf } from './face-trust.ts'

const GOOD_FACE = { sharpness: 40, brightness: 50, yaw: 10, pitch: 0, roll: 0 }

test.each([
  ['blurred', { sharpness: 20 }, 100],
  ['turned to the right', { yaw: 35 }, 100],
  ['turned to the left', { yaw: -35 }, 100],
  ['overexposed', { brightness: 95 }, 100],
  ['small', {}, 30],
])('a face that is %s is poor, and must be closer', (_, quality, side) => {
  expect(strictnessOf({ ...GOOD_FACE, ...quality }, side)).toBeGreaterThan(0)
})

test.each([
  ['sharp, large and straight', {}],
  ['dark', { brightness: 8 }],
  ['leaning to one side', { roll: 45 }],
  ['looking up', { pitch: 30 }],
])('a face that is %s is good', (_, quality) => {
  expect(strictnessOf({ ...GOOD_FACE, ...quality }, 100)).toBe(0)
})

test('a face without measurements is good', () => {
  expect(strictnessOf({ sharpness: null, brightness: null, yaw: null, pitch: null, roll: null })).toBe(0)
})
