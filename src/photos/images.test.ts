import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { folderOfFile } from '../testing/folder-of-file.ts'
import { exifBomb, textBomb } from '../testing/metadata-bombs.ts'
import { pngThatClaims } from '../testing/png.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { type InspectedPhoto, inspectPhoto, renderFull, renderSelfie } from './images.ts'

const folder = await folderOfFile()
const sample = await readFile(samplePath(1))
const samplePng = await sharp(sample).resize(800).png().toBuffer()

async function inspect(bytes: Buffer | string): Promise<InspectedPhoto> {
  const path = join(folder, 'upload.jpg')
  await writeFile(path, bytes)
  return inspectPhoto(path)
}

const DAMAGED = { name: 'AppError', code: 'BAD_REQUEST', message: 'The photo is damaged or incomplete' }

describe('what is accepted', () => {
  test.each([1, 2, 3, 4, 5, 6])('sample photo %i, with a small thumbnail', async (number) => {
    const path = samplePath(number)
    const { width, height } = await sharp(path).metadata()
    const photo = await inspectPhoto(path)
    expect(photo).toMatchObject({ mediaType: 'image/jpeg', width, height })
    const thumbnail = await sharp(photo.thumbnail).metadata()
    expect(thumbnail).toMatchObject({ format: 'webp', width: 640, space: 'srgb' })
    expect(photo.thumbnail.length).toBeLessThan(60_000)
  })

  const made: [string, () => Promise<Buffer>, string][] = [
    ['a progressive JPEG', () => sharp(sample).jpeg({ progressive: true }).toBuffer(), 'image/jpeg'],
    ['a CMYK JPEG', () => sharp(sample).toColourspace('cmyk').jpeg().toBuffer(), 'image/jpeg'],
    ['a greyscale JPEG', () => sharp(sample).greyscale().jpeg().toBuffer(), 'image/jpeg'],
    ['a PNG', async () => samplePng, 'image/png'],
    ['an interlaced PNG', () => sharp(samplePng).png({ progressive: true }).toBuffer(), 'image/png'],
    ['a 16-bit PNG', () => sharp(samplePng).toColourspace('rgb16').png().toBuffer(), 'image/png'],
    ['a greyscale PNG', () => sharp(samplePng).greyscale().png().toBuffer(), 'image/png'],
    ['a palette PNG', () => sharp(samplePng).png({ palette: true }).toBuffer(), 'image/png'],
    ['a PNG with alpha', () => sharp(samplePng).ensureAlpha(0.5).png().toBuffer(), 'image/png'],
  ]
  test.each(made)('%s', async (_name, make, mediaType) => {
    const bytes = await make()
    const { width, height } = await sharp(bytes).metadata()
    const photo = await inspect(bytes)
    expect(photo).toMatchObject({ mediaType, width, height })
    expect(await sharp(photo.thumbnail).metadata()).toMatchObject({
      space: 'srgb',
      hasAlpha: false,
      channels: 3,
    })
    const full = await sharp(await renderFull(bytes)).metadata()
    expect(full).toMatchObject({ format: mediaType.slice(6), width, height })
  })

  test.each<[boolean, string, () => Promise<Buffer>]>([
    [true, 'a JPEG', async () => sample],
    [true, 'a PNG', async () => samplePng],
    [true, 'a greyscale JPEG', () => sharp(sample).greyscale().jpeg().toBuffer()],
    [true, 'a JPEG of 80 pixels', () => sharp(sample).resize(80, 80).jpeg().toBuffer()],
    [false, 'a JPEG of 79 pixels', () => sharp(sample).resize(200, 79).jpeg().toBuffer()],
    [false, 'a JPEG on its side', () => sharp(sample).withMetadata({ orientation: 6 }).jpeg().toBuffer()],
    [false, 'a PNG upside down', () => sharp(samplePng).withMetadata({ orientation: 3 }).png().toBuffer()],
    [false, 'a CMYK JPEG', () => sharp(sample).toColourspace('cmyk').jpeg().toBuffer()],
    [false, 'a 16-bit PNG', () => sharp(samplePng).toColourspace('rgb16').png().toBuffer()],
  ])('ready for Amazon Rekognition: %s for %s', async (isTakenAsStored, _, make) => {
    expect(await inspect(await make())).toMatchObject({ isTakenAsStored })
  })

  test('a JPEG whose scan header is wrong as Samsung cameras write it', async () => {
    const bytes = Buffer.from(sample)
    const scan = bytes.lastIndexOf(Buffer.from([0xff, 0xda]))
    bytes[scan + bytes.readUInt16BE(scan + 2)] = 0
    await expect(sharp(bytes, { failOn: 'warning' }).raw().toBuffer()).rejects.toThrow('Invalid SOS')
    expect(await inspect(bytes)).toMatchObject({ width: 1920, height: 1280 })
  })

  test('a JPEG that lacks only the mark at its end, or its last rows: it gets the mark, and its owner a note', async () => {
    const progressive = await sharp(sample).jpeg({ progressive: true }).toBuffer()
    const cuts = [1, 2, 300].map((cut) => sample.subarray(0, -cut))
    for (const cut of [...cuts, sample.subarray(0, sample.length * 0.99), progressive.subarray(0, -2)]) {
      const photo = await inspect(cut)
      expect(photo).toMatchObject({ width: 1920, height: 1280, size: cut.length + 2, isCutShort: true })
      const stored = await readFile(join(folder, 'upload.jpg'))
      expect(stored.equals(Buffer.concat([cut, Buffer.from([0xff, 0xd9])]))).toBe(true)
      expect(await sharp(await renderFull(stored)).metadata()).toMatchObject({ width: 1920, height: 1280 })
      expect(await inspect(stored)).toMatchObject({ isCutShort: false })
    }
  })

  test('a JPEG and a PNG with a video behind: only the picture is kept', async () => {
    for (const picture of [sample, samplePng]) {
      expect(await inspect(Buffer.concat([picture, Buffer.from('ftypmp42 and a video')]))).toMatchObject({
        size: picture.length,
        isCutShort: false,
      })
      expect((await readFile(join(folder, 'upload.jpg'))).equals(picture)).toBe(true)
    }
  })

  test('a picture smaller than a thumbnail, which keeps its size', async () => {
    const photo = await inspect(await sharp(sample).resize(50).jpeg().toBuffer())
    expect(photo.width).toBe(50)
    expect((await sharp(photo.thumbnail).metadata()).width).toBe(50)
  })
})

describe('the colours that are shown while a photo loads', () => {
  const half = (width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer()
  const coloursOf = async (width: number, height: number) => {
    const blue = { input: await half(width / 2, height, 'blue'), left: width / 2, top: 0 }
    const { placeholder } = await inspect(
      await sharp(await half(width, height, 'red'))
        .composite([blue])
        .png()
        .toBuffer(),
    )
    return [...placeholder]
  }
  const [RED, BLUE] = [
    [255, 0, 0],
    [0, 0, 255],
  ]

  test('are those of four columns and three rows of a wide photo, and the other way round', async () => {
    const wide = await coloursOf(640, 480)
    expect(wide).toHaveLength(36)
    for (const row of [0, 1, 2])
      expect([wide.slice(12 * row, 12 * row + 3), wide.slice(12 * row + 9, 12 * row + 12)]).toEqual([
        RED,
        BLUE,
      ])
    const high = await coloursOf(480, 640)
    expect(high).toHaveLength(36)
    for (const row of [0, 1, 2, 3])
      expect([high.slice(9 * row, 9 * row + 3), high.slice(9 * row + 6, 9 * row + 9)]).toEqual([RED, BLUE])
  })

  test.each([
    [1, 1],
    [1, 640],
    [640, 2],
  ])('are grey for a grey photo, also of %i × %i pixels', async (width, height) => {
    const grey = await sharp(await half(width, height, '#5a5a5a'))
      .toColourspace('b-w')
      .png()
      .toBuffer()
    expect([...(await inspect(grey)).placeholder]).toEqual(Array(36).fill(90))
  })
})

describe('what is refused', () => {
  const NEITHER = 'Only JPEG and PNG files are supported (facial recognition service requirement)'
  const others: [string, () => Promise<Buffer | string>][] = [
    ['text named .jpg', async () => 'this is no picture'],
    ['one byte', async () => '\x89'],
    ['a HEIC file', async () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['a GIF', () => sharp(sample).resize(100).gif().toBuffer()],
    ['a WEBP', () => sharp(sample).resize(100).webp().toBuffer()],
    ['an SVG', async () => '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
  ]
  test.each(others)('%s', async (_name, make) => {
    await expect(inspect(await make())).rejects.toMatchObject({
      name: 'AppError',
      code: 'UNSUPPORTED_MEDIA_TYPE',
      message: NEITHER,
    })
  })

  test.each([0.001, 0.3, 0.6, 0.9])('JPEG and PNG cut at %d of their length', async (share) => {
    const progressive = await sharp(sample).jpeg({ progressive: true }).toBuffer()
    const interlaced = await sharp(samplePng).png({ progressive: true }).toBuffer()
    for (const whole of [sample, progressive, samplePng, interlaced])
      await expect(inspect(whole.subarray(0, Math.floor(whole.length * share)))).rejects.toMatchObject(
        DAMAGED,
      )
  })

  test('a progressive JPEG and a PNG without their last bytes', async () => {
    const progressive = await sharp(sample).jpeg({ progressive: true }).toBuffer()
    for (const whole of [progressive, samplePng])
      await expect(inspect(whole.subarray(0, -300))).rejects.toMatchObject(DAMAGED)
  })

  test('a picture whose header takes too long to read', async () => {
    const small = sharp(sample).resize(200)
    for (const bomb of [exifBomb(await small.jpeg().toBuffer()), textBomb(await small.png().toBuffer())])
      await expect(inspect(bomb)).rejects.toMatchObject({
        code: 'UNPROCESSABLE_CONTENT',
        message: expect.stringContaining('takes too long'),
      })
  }, 120_000)

  test('a PNG with one changed byte anywhere in its pixels', async () => {
    for (const share of [0.1, 0.5, 0.9]) {
      const bytes = Buffer.from(samplePng)
      const at = Math.floor(bytes.length * share)
      bytes[at] = bytes[at]! ^ 0x5a
      await expect(inspect(bytes)).rejects.toMatchObject(DAMAGED)
    }
  })

  test('a bomb, by its header alone', async () => {
    const message = 'The photo is too large: 30000 × 30000 pixels. At most 64 megapixels can be processed'
    await expect(inspect(pngThatClaims(30_000, 30_000))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message,
    })
    const jpeg = Buffer.from(sample)
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0, 0x00, 0x11, 0x08]))
    jpeg.writeUInt16BE(30_000, frame + 5)
    jpeg.writeUInt16BE(30_000, frame + 7)
    for (const read of [inspect, renderSelfie])
      await expect(read(jpeg)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message })
  })

  test("a missing file is our fault, not the visitor's", async () => {
    await expect(inspectPhoto(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
