import { expect, test } from 'vitest'
import { cropAround } from './crop-around.ts'

const number = (percentage: string) => Number.parseFloat(percentage)

test('the middle of a face is in the middle of the frame', () => {
  const box = { left: 0.4, top: 0.5, width: 0.1, height: 0.2 }
  const crop = cropAround(box, { width: 1_500, height: 1_000 })
  // Of the frame's side.
  const photoWidth = number(crop.width)
  const photoHeight = photoWidth / 1.5
  expect(number(crop.left) + 0.45 * photoWidth).toBeCloseTo(50, 0)
  expect(number(crop.top) + 0.6 * photoHeight).toBeCloseTo(50, 0)
  // The face's height is the larger one: 0.2 of the photo's height, 0.133 of its width.
  expect(0.2 * photoHeight).toBeCloseTo(100 / 1.7, 0)
})

test('at the edge of a photo the frame is full, and the face is in it', () => {
  const crop = cropAround({ left: 0.95, top: 0, width: 0.05, height: 0.05 }, { width: 1_000, height: 1_000 })
  const size = number(crop.width)
  expect(number(crop.left) + size).toBeCloseTo(100, 1)
  expect(number(crop.top)).toBeCloseTo(0)
})

test('a face that fills its photo is shown as small as a full frame allows', () => {
  const crop = cropAround({ left: 0.1, top: 0.1, width: 0.8, height: 0.8 }, { width: 1_500, height: 1_000 })
  expect(crop).toEqual({ width: '150%', left: '-25%', top: '0%' })
})
