import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { samplePath } from '../../testing/sample-photos.ts'
import type { DescribedFace, FaceEngine } from './engine.ts'
import { loadFaceEngine } from './load-engine.ts'

/** The largest distance that was measured is 0.034. Those of one person are below 0.5. */
const NEAR = 0.1

let engine: FaceEngine
let expected: DescribedFace[]
beforeAll(async () => {
  ;({ engine } = await loadFaceEngine())
  expected = await engine.describeFaces(await photo().jpeg({ quality: 95 }).toBuffer())
})

const photo = () => sharp(samplePath(1))

function distance(one: DescribedFace, other: DescribedFace): number {
  return Math.hypot(...one.descriptor.map((value, index) => value - other.descriptor[index]!))
}

test('a photo in a wide gamut shows the same faces', async () => {
  const wide = await photo().withIccProfile('p3').jpeg({ quality: 95 }).toBuffer()
  const faces = await engine.describeFaces(wide)
  expect(faces).toHaveLength(expected.length)
  for (const face of faces)
    expect(Math.min(...expected.map((other) => distance(face, other)))).toBeLessThan(NEAR)
})

describe.each([
  [1, 5_000],
  [5_000, 1],
  [1, 1],
  [31, 33],
])('a picture of %i × %i pixels', (width, height) => {
  test.each(['jpeg', 'png'] as const)('has no face, as %s', async (format) => {
    const picture = await sharp({ create: { width, height, channels: 3, background: '#967' } })
      .toFormat(format)
      .toBuffer()
    expect(await engine.describeFaces(picture)).toEqual([])
    expect((await engine.describeSelfie(picture)).described).toBeUndefined()
  })
})
