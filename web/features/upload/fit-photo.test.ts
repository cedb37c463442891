import { expect, test } from 'vitest'
import { fitPhoto, type PictureSize } from './fit-photo.ts'

const LIMITS = { bytes: 5_242_880, pixels: 64_000_000 }
const CAMERA = { width: 6000, height: 4000 }

interface Try extends PictureSize {
  quality: number
  bytes: number
}

/** An encoder whose photos have this many bytes, and the calls it got. */
function encoder(bytesOf: (pixels: number, quality: number) => number) {
  const tries: Try[] = []
  const encode = async (size: PictureSize, quality: number) => {
    const bytes = Math.round(bytesOf(size.width * size.height, quality))
    tries.push({ ...size, quality, bytes })
    return { size: bytes } as Blob
  }
  return { encode, tries }
}

/** A photo of this many bytes at full size and best quality. Bytes grow with pixels to the power of `growth`. */
function camera(bytes: number, { growth = 1, leastPerBest = 0.65 } = {}) {
  const full = CAMERA.width * CAMERA.height
  return encoder((pixels, quality) => bytes * (quality < 0.9 ? leastPerBest : 1) * (pixels / full) ** growth)
}

test.each([
  ['fits keeps its pixels at the best quality', 5_242_880, 5_242_880, [0.92]],
  ['is too large loses quality before pixels', 7_000_000, 4_550_000, [0.92, 0.85]],
])('a photo that %s', async (_what, bytes, fitted, qualities) => {
  const { encode, tries } = camera(bytes)
  expect((await fitPhoto(CAMERA, LIMITS, encode)).size).toBe(fitted)
  expect(tries).toMatchObject(qualities.map((quality) => ({ ...CAMERA, quality })))
})

test('a photo that is still too large gets as many pixels as fit, predicted from the first try', async () => {
  const { encode, tries } = camera(16_000_000)
  const { size } = await fitPhoto(CAMERA, LIMITS, encode)
  expect(size).toBeGreaterThan(LIMITS.bytes * 0.9)
  expect(size).toBeLessThanOrEqual(LIMITS.bytes)
  expect(tries).toHaveLength(2)
  const { width, height, quality } = tries[1]!
  expect(quality).toBe(0.85)
  expect(width / height).toBeCloseTo(1.5, 2)
})

test.each([
  ['has more detail in each pixel when it is smaller', { growth: 0.6 }],
  ['gains little from the lower quality', { leastPerBest: 0.95 }],
])('a photo that %s takes a few tries more, and fills the limit well', async (_, kind) => {
  for (const bytes of [9e6, 14e6, 20e6, 60e6]) {
    const { encode, tries } = camera(bytes, kind)
    const { size } = await fitPhoto(CAMERA, LIMITS, encode)
    expect(size).toBeLessThanOrEqual(LIMITS.bytes)
    expect(size).toBeGreaterThan(LIMITS.bytes * 0.9)
    expect(tries.length).toBeLessThanOrEqual(6)
  }
})

test('a picture above the limit of pixels starts below it', async () => {
  const { encode, tries } = encoder(() => 1_000_000)
  await fitPhoto({ width: 12_000, height: 8_000 }, LIMITS, encode)
  expect(tries).toHaveLength(1)
  expect(tries[0]!.width * tries[0]!.height).toBeLessThanOrEqual(LIMITS.pixels)
  expect(tries[0]!.width).toBe(9797)
})

test('a photo that never fits is given up', async () => {
  const { encode, tries } = encoder(() => 6_000_000)
  await expect(fitPhoto(CAMERA, LIMITS, encode)).rejects.toThrow('No size of this photo fits')
  expect(tries).toHaveLength(11)
})
