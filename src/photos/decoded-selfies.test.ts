import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createDecoders, type Decoders } from './decoders.ts'

let sample: Buffer
let decoders: Decoders
beforeAll(async () => {
  decoders = createDecoders({ log: createLog('silent') })
  const samples = join(import.meta.dirname, '../../node_modules/@vladmandic/face-api/demo')
  sample = await readFile(join(samples, 'sample3.jpg'))
})
afterAll(() => decoders.close())

const decodeSelfie = (bytes: Buffer) => decoders.selfie(bytes)

test.each(['jpeg', 'png', 'gif', 'webp'] as const)('takes %s and gives an upright JPEG', async (format) => {
  const selfie = await decodeSelfie(await sharp(sample).resize(400).toFormat(format).toBuffer())
  expect(await sharp(selfie).metadata()).toMatchObject({ format: 'jpeg', width: 400, space: 'srgb' })
})

test('makes it upright and removes its metadata', async () => {
  const sideways = await sharp(sample).resize(400, 300).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const found = await sharp(await decodeSelfie(sideways)).metadata()
  expect(found).toMatchObject({ width: 300, height: 400 })
  for (const kind of ['orientation', 'exif', 'xmp', 'iptc', 'icc']) expect(found).not.toHaveProperty(kind)
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
  await expect(decodeSelfie(heic)).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining('HEIC'),
  })
  for (const bytes of [Buffer.from('hello'), svg, tiff])
    await expect(decodeSelfie(bytes)).rejects.toMatchObject(refused)
})

test('refuses an empty file', async () => {
  await expect(decodeSelfie(Buffer.alloc(0))).rejects.toMatchObject({ message: 'The file is empty' })
})
