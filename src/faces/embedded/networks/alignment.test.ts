import { describe, expect, test } from 'vitest'
import { samplePhotos } from '../../../testing/sample-photos.ts'
import { cutSquare } from './alignment.ts'
import { type Pixels, readPixels } from './pixels.ts'

const SIZE = 40

const photo = await readPixels(samplePhotos()[2]!, 2000)

describe('a pixel of a cut', () => {
  // Half as many samples in each direction as there are pixels, from the fourth on.
  test.each([1, 2, 3, 5, 8, 11])(
    'is the mean of the %i pixels a side that it takes the place of',
    (shrinking) => {
      const side = SIZE * shrinking
      const [left, top] = [300, 200]
      const cut = cutSquare(
        photo,
        { centreX: left + side / 2, centreY: top + side / 2, side, angle: 0 },
        SIZE,
      )
      expect(meanDifference(cut, meansOf(photo, left, top, shrinking))).toBeLessThan(0.5)
    },
  )

  test('outside the picture is black', () => {
    const cut = cutSquare(photo, { centreX: -500, centreY: -500, side: 400, angle: 0.3 }, SIZE)
    expect(cut.every((value) => value === 0)).toBe(true)
  })
})

/** The means of blocks of `block` × `block` pixels, SIZE blocks a side. */
function meansOf({ data, width }: Pixels, left: number, top: number, block: number): Float32Array {
  const means = new Float32Array(SIZE * SIZE * 3)
  for (let y = 0; y < SIZE * block; y++)
    for (let x = 0; x < SIZE * block; x++)
      for (let channel = 0; channel < 3; channel++) {
        const to = (Math.floor(y / block) * SIZE + Math.floor(x / block)) * 3 + channel
        means[to]! += data[((top + y) * width + left + x) * 3 + channel]! / block ** 2
      }
  return means
}

/** The root of the mean square. */
function meanDifference(one: Float32Array, other: Float32Array): number {
  const squares = one.reduce((sum, value, index) => sum + (value - other[index]!) ** 2, 0)
  return Math.sqrt(squares / one.length)
}
