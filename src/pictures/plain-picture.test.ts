import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  afterHeader,
  afterStart,
  jpegSegment,
  many,
  metadataBombs,
  pngChunk,
} from '../testing/metadata-bombs.ts'
import { PROFILE_MAX_BYTES } from './colour-profile.ts'
import { cameraTime } from './exif.ts'
import { plainPicture } from './plain-picture.ts'

const SAMPLES = join(import.meta.dirname, '../../node_modules/@vladmandic/face-api/demo')
const FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const
type Format = (typeof FORMATS)[number]

let sample: Buffer
const small = {} as Record<Format, Buffer>
beforeAll(async () => {
  sample = await readFile(join(SAMPLES, 'sample1.jpg'))
  for (const format of FORMATS) small[format] = await sharp(sample).resize(60).toFormat(format).toBuffer()
})

const plain = (bytes: Buffer) => plainPicture(bytes).bytes
const pixels = (bytes: Buffer) => sharp(bytes, { autoOrient: true }).toColourspace('srgb').raw().toBuffer()
/** A photo of a camera, with all that may stand in it. */
const photo = (orientation = 6) =>
  sharp(sample)
    .resize(80)
    .withExif({ IFD0: { Make: 'Secret Phone', Copyright: 'x'.repeat(2000) } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>Secret Phone</a></x:xmpmeta>')
    .withIccProfile('p3')
    .withMetadata({ orientation })

describe('keeps the pixels, the orientation and the colours of', () => {
  test.each<[string, () => Promise<Buffer>]>([
    ['a JPEG', () => photo().jpeg().toBuffer()],
    ['an upright JPEG', () => photo(1).jpeg().toBuffer()],
    ['a progressive JPEG', () => photo().jpeg({ progressive: true }).toBuffer()],
    ['a grey JPEG', () => photo().greyscale().jpeg().toBuffer()],
    ['a CMYK JPEG', () => sharp(sample).resize(80).toColourspace('cmyk').jpeg().toBuffer()],
    ['a PNG', () => photo().png().toBuffer()],
    [
      'an interlaced PNG of 16 bits',
      () => photo().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
    ],
    [
      'a PNG with a palette and a transparent colour',
      () => photo().ensureAlpha(0).png({ palette: true }).toBuffer(),
    ],
    ['a WEBP', () => photo().webp().toBuffer()],
    [
      'a transparent WEBP without a header of features',
      () => sharp(sample).resize(80).ensureAlpha(0.5).webp().toBuffer(),
    ],
    ['a lossless WEBP', () => photo(3).webp({ lossless: true }).toBuffer()],
    ['a GIF', () => sharp(sample).resize(80).gif().toBuffer()],
    ['a transparent GIF', () => sharp(sample).resize(80).ensureAlpha(0).gif().toBuffer()],
  ])('%s', async (_, make) => {
    const whole = await make()
    const found = plain(whole)
    expect((await pixels(found)).equals(await pixels(whole))).toBe(true)
    const [before, after] = [await sharp(whole).metadata(), await sharp(found).metadata()]
    expect(after.autoOrient).toEqual(before.autoOrient)
    expect(after.icc?.length).toBe(before.icc?.length)
    expect(after).not.toHaveProperty('xmp')
    expect(found.includes('Secret Phone')).toBe(false)
    if (before.exif) expect(plainPicture(whole).exif).toBeDefined()
  })
})

test('keeps every photo of the samples as it looks, and says when it was taken', async () => {
  for (let number = 1; number <= 6; number++) {
    const whole = await readFile(join(SAMPLES, `sample${number}.jpg`))
    const found = plainPicture(whole)
    expect((await pixels(found.bytes)).equals(await pixels(whole))).toBe(true)
    expect(cameraTime(found.exif)).toEqual(cameraTime((await sharp(whole).metadata()).exif))
  }
})

test('leaves nothing of a bomb but its picture', async () => {
  for (const { name, bytes } of await metadataBombs()) {
    const found = plain(bytes)
    expect(found.length, name).toBeLessThan(2_000)
    expect(await sharp(found).metadata(), name).not.toHaveProperty('exif')
    expect(await pixels(found), name).not.toHaveLength(0)
  }
})

describe('a colour profile is left out', () => {
  test('when it is larger than any of a printing press', async () => {
    const profile = Buffer.alloc(PROFILE_MAX_BYTES + 1)
    const chunk = pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync(profile)]))
    expect(plain(afterHeader(small.png, chunk))).toEqual(plain(small.png))
    const segments = Array.from({ length: 40 }, (_, index) =>
      jpegSegment(
        0xe2,
        Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([index + 1, 40]), Buffer.alloc(60_000)]),
      ),
    )
    expect(plain(afterStart(small.jpeg, ...segments))).toEqual(plain(small.jpeg))
  })

  test('when it is compressed to a thousandth of gigabytes, damaged or incomplete', () => {
    const bomb = Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(100_000_000))])
    for (const content of [bomb, Buffer.from('a\0\0no zlib'), Buffer.from('a'), Buffer.alloc(0)])
      expect(plain(afterHeader(small.png, pngChunk('iCCP', content)))).toEqual(plain(small.png))
    const half = jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x02half of it', 'latin1'))
    expect(plain(afterStart(small.jpeg, half))).toEqual(plain(small.jpeg))
  })

  test('when it has any number of steps for each pixel', async () => {
    const wide = await sharp(sample).resize(60).withIccProfile('p3').jpeg().toBuffer()
    const changed = Buffer.from(wide)
    changed.write('mpet', wide.indexOf('acsp') + 60, 'latin1')
    expect(await sharp(plain(wide)).metadata()).toHaveProperty('icc')
    expect(await sharp(plain(changed)).metadata()).not.toHaveProperty('icc')
  })
})

test('a file that is cut off stays damaged, wherever it is cut', async () => {
  for (const format of FORMATS)
    for (const share of [0.3, 0.6, 0.9]) {
      const half = small[format].subarray(0, small[format].length * share)
      await expect(pixels(plain(half)), format).rejects.toThrow()
    }
})

test('any bytes are read without an error, and nothing grows by more than an orientation', () => {
  const changed = fc
    .tuple(
      fc.constantFrom(...FORMATS),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 40 }),
      fc.nat(),
    )
    .map(([format, changes, cut]) => {
      const bytes = Buffer.from(small[format])
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte
      return cut % 3 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes
    })
  fc.assert(
    fc.property(changed, (bytes) => {
      expect(plain(bytes).length).toBeLessThanOrEqual(bytes.length + 40)
    }),
    { numRuns: 500 },
  )
})

// Reading in quadratic time would exceed the test's time.
test('reads millions of parts in a moment', () => {
  const segments = Buffer.concat(many(2_000_000, Buffer.from([0xff, 0xe5, 0, 2])))
  expect(plain(afterStart(small.jpeg, segments))).toEqual(plain(small.jpeg))
  const chunks = Buffer.concat(many(800_000, pngChunk('aaAa', Buffer.alloc(0))))
  expect(plain(afterHeader(small.png, chunks))).toEqual(plain(small.png))
  const { gif } = small
  const extensions = Buffer.concat(many(2_000_000, Buffer.from([0x21, 0xfe, 1, 65, 0])))
  const palette = 13 + 3 * 2 ** ((gif[10]! & 7) + 1)
  const full = Buffer.concat([gif.subarray(0, palette), extensions, gif.subarray(palette)])
  expect(plain(full)).toEqual(plain(gif))
})
