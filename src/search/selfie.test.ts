import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createDecoders, type Decoders } from '../photos/decoders.ts'
import { withEmptyScans } from '../testing/scan-bomb.ts'
import { normaliseSelfie as normaliseWith } from './selfie.ts'

const REKOGNITION_MAX_BYTES = 5_242_880

const CALLER = { address: '192.0.2.1', signal: new AbortController().signal }

let sample: Buffer
let decoders: Decoders
beforeAll(async () => {
  decoders = createDecoders({ log: createLog('silent') })
  const samples = join(import.meta.dirname, '../../node_modules/@vladmandic/face-api/demo')
  sample = await readFile(join(samples, 'sample3.jpg'))
})
afterAll(() => decoders.close())

const normaliseSelfie = (bytes: Buffer) => normaliseWith(decoders, bytes, CALLER)

const solid = (background: string | { r: number; g: number; b: number; alpha: number }) =>
  sharp({ create: { width: 60, height: 40, channels: typeof background === 'string' ? 3 : 4, background } })

async function meanColour(image: Buffer): Promise<number[]> {
  const { channels } = await sharp(image).stats()
  return channels.map((channel) => Math.round(channel.mean))
}

test.each(['jpeg', 'png', 'gif', 'webp'] as const)('takes %s and gives an upright JPEG', async (format) => {
  const selfie = await normaliseSelfie(await sharp(sample).resize(400).toFormat(format).toBuffer())
  expect(await sharp(selfie).metadata()).toMatchObject({ format: 'jpeg', width: 400, space: 'srgb' })
})

test('takes the first frame of an animation', async () => {
  const frames = await Promise.all(['red', 'blue'].map((colour) => solid(colour).png().toBuffer()))
  for (const format of ['gif', 'webp'] as const) {
    const animation = await sharp(frames, { join: { animated: true } })
      .toFormat(format)
      .toBuffer()
    expect((await sharp(animation).metadata()).pages).toBe(2)
    const selfie = await normaliseSelfie(animation)
    expect(await sharp(selfie).metadata()).toMatchObject({ width: 60, height: 40 })
    const [red, , blue] = await meanColour(selfie)
    expect(red).toBeGreaterThan(240)
    expect(blue).toBeLessThan(15)
  }
})

test('makes it upright and removes its metadata', async () => {
  const sideways = await sharp(sample).resize(400, 300).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const found = await sharp(await normaliseSelfie(sideways)).metadata()
  expect(found).toMatchObject({ width: 300, height: 400 })
  for (const kind of ['orientation', 'exif', 'xmp', 'iptc', 'icc']) expect(found).not.toHaveProperty(kind)
})

test('makes transparent parts white', async () => {
  const clear = await solid({ r: 0, g: 0, b: 0, alpha: 0 }).png().toBuffer()
  expect(await meanColour(await normaliseSelfie(clear))).toEqual([255, 255, 255])
})

test('is never larger than the face engine accepts', async () => {
  const noise = await sharp(randomBytes(2400 * 2400 * 3), { raw: { width: 2400, height: 2400, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer()
  const selfie = await normaliseSelfie(noise)
  expect(selfie.length).toBeLessThan(REKOGNITION_MAX_BYTES)
  expect(await sharp(selfie).metadata()).toMatchObject({ width: 2000, height: 2000 })
})

test('refuses what is not a picture, by its content', async () => {
  const refused = {
    name: 'AppError',
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Please upload an image file (JPG, PNG, etc.)',
  }
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
  const tiff = await sharp(sample).resize(50).tiff().toBuffer()
  await expect(normaliseSelfie(heic)).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining('HEIC'),
  })
  for (const bytes of [Buffer.from('hello'), svg, tiff])
    await expect(normaliseSelfie(bytes)).rejects.toMatchObject(refused)
})

test('refuses an empty, cut or damaged file', async () => {
  await expect(normaliseSelfie(Buffer.alloc(0))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'The file is empty',
  })
  for (const format of ['jpeg', 'png', 'gif', 'webp'] as const) {
    const whole = await sharp(sample).resize(400).toFormat(format).toBuffer()
    await expect(normaliseSelfie(whole.subarray(0, whole.length / 2)), format).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The photo is damaged or incomplete',
    })
  }
})

test('refuses a bomb by its header', async () => {
  const gif = await sharp(sample).resize(50).gif().toBuffer()
  // The decoder reads the size of the frame, which begins after the extensions: 0x2c, its corner, its size.
  const picture = gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 50]))
  for (const size of [6, 8, picture + 5, picture + 7]) gif.writeUInt16LE(30_000, size)
  const jpeg = Buffer.from(sample)
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0, 0x00, 0x11, 0x08]))
  jpeg.writeUInt16BE(30_000, frame + 5)
  jpeg.writeUInt16BE(30_000, frame + 7)
  for (const bytes of [gif, jpeg])
    await expect(normaliseSelfie(bytes)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})

test('refuses a JPEG with many scans, before it is decoded', async () => {
  const progressive = await sharp(sample).resize(100).jpeg({ progressive: true }).toBuffer()
  await expect(normaliseSelfie(withEmptyScans(progressive, 1500))).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    message: 'This JPEG is too complex (more than 32 scans). Please save it again as a normal JPEG',
  })
})
