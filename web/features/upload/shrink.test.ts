import sharp from 'sharp'
import { expect, test } from 'vitest'
import { exifFields, onlyTakenAt } from '../../../src/testing/exif-fields.ts'
import { CAMERA_TIME_MAX_BYTES, fitPhoto, type PictureSize, withCameraTime } from './shrink.ts'

const blank = () => sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } }).jpeg()
const blobOf = (bytes: Buffer) => new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })
const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

async function photoOf(times: Record<string, string>): Promise<Buffer> {
  const exif = {
    IFD0: { Make: 'Phone Maker', Model: 'Any', Artist: 'Secret' },
    IFD2: { BodySerialNumber: '110042', ...times },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 8/1 0/1' },
  }
  return await blank().withExif(exif).toBuffer()
}
const DATE = '2025:08:19 14:03:22'
const CAMERA = { '0x110': 'Phone Maker Any (0042)' }

test.each([
  [
    { DateTimeOriginal: DATE, OffsetTimeOriginal: '+02:00' },
    { ...CAMERA, ...onlyTakenAt(DATE, '+02:00') },
  ],
  [{ DateTimeOriginal: DATE }, { ...CAMERA, ...onlyTakenAt(DATE) }],
  [{}, CAMERA],
])(
  'a smaller copy has the time and the camera of its original, and nothing else of it: %o',
  async (times, fields) => {
    const plain = await blank().toBuffer()
    const copy = await withCameraTime(blobOf(plain), blobOf(await photoOf(times)))
    expect(copy.type).toBe('image/jpeg')
    expect(copy.size - plain.length).toBeLessThanOrEqual(CAMERA_TIME_MAX_BYTES)
    expect(await exifFields(await bytesOf(copy))).toEqual(fields)
  },
)

test('a HEIC photo has it behind other data', async () => {
  const { exif } = await sharp(await photoOf({ DateTimeOriginal: DATE })).metadata()
  const heic = Buffer.concat([Buffer.from('....ftypheic, and so on'), Buffer.alloc(3_000), exif!])
  const copy = await withCameraTime(blobOf(await blank().toBuffer()), blobOf(heic))
  expect(await exifFields(await bytesOf(copy))).toEqual({ ...CAMERA, ...onlyTakenAt(DATE) })
})

test('without a time and a camera, and with data that is cut off or changed anywhere, there is a copy all the same', async () => {
  const plain = blobOf(await blank().toBuffer())
  const withoutBoth = await blank()
    .withExif({ IFD0: { Artist: 'Secret' } })
    .toBuffer()
  for (const original of [Buffer.alloc(0), Buffer.from('Exif\0\0'), withoutBoth])
    expect(await withCameraTime(plain, blobOf(original))).toBe(plain)
  const whole = await photoOf({ DateTimeOriginal: DATE, OffsetTimeOriginal: '+02:00' })
  for (let at = 0; at < Math.min(whole.length, 400); at++) {
    await withCameraTime(plain, blobOf(whole.subarray(0, at)))
    const changed = Buffer.from(whole)
    changed[at] = 0xff
    expect((await withCameraTime(plain, blobOf(changed))).size).toBeLessThan(plain.size + 250)
  }
})

const LIMITS = { bytes: 5_242_880, pixels: 64_000_000 }
const CAMERA_SIZE = { width: 6000, height: 4000 }

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
  const full = CAMERA_SIZE.width * CAMERA_SIZE.height
  return encoder((pixels, quality) => bytes * (quality < 0.9 ? leastPerBest : 1) * (pixels / full) ** growth)
}

test.each([
  ['fits keeps its pixels at the best quality', 5_242_880, 5_242_880, [0.92]],
  ['is too large loses quality before pixels', 7_000_000, 4_550_000, [0.92, 0.85]],
])('a photo that %s', async (_what, bytes, fitted, qualities) => {
  const { encode, tries } = camera(bytes)
  expect((await fitPhoto(CAMERA_SIZE, LIMITS, encode)).size).toBe(fitted)
  expect(tries).toMatchObject(qualities.map((quality) => ({ ...CAMERA_SIZE, quality })))
})

test('a photo that is still too large gets as many pixels as fit, predicted from the first try', async () => {
  const { encode, tries } = camera(16_000_000)
  const { size } = await fitPhoto(CAMERA_SIZE, LIMITS, encode)
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
    const { size } = await fitPhoto(CAMERA_SIZE, LIMITS, encode)
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
  await expect(fitPhoto(CAMERA_SIZE, LIMITS, encode)).rejects.toThrow('No size of this photo fits')
  expect(tries).toHaveLength(11)
})
