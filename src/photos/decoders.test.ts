import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { childrenWith, isRunning } from '../testing/child-processes.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { withEmptyScans } from '../testing/scan-bomb.ts'
import { createDecoders, type Decoders, type DecodersOptions } from './decoders.ts'
import { inspectPhoto, renderFull, renderPreview, renderThumbnail } from './images.ts'

const LITTLE_TIME = { processorLimit: 1_000, timeLimit: 60_000, memoryLimit: 800_000_000 }

const opened: Decoders[] = []
const photo = await readFile(samplePath(1))
const blank = sharp({ create: { width: 4_000, height: 4_000, channels: 3, background: '#789' } })
/** 300 KB that take at least ten seconds. */
const scanBomb = withEmptyScans(await blank.greyscale().jpeg({ progressive: true }).toBuffer(), 6_000)
afterEach(() => Promise.all(opened.splice(0).map((decoders) => decoders.close())))

function open(options: Partial<DecodersOptions> = {}): Decoders {
  const decoders = createDecoders({ log: createLog('silent'), ...options })
  opened.push(decoders)
  return decoders
}

const pids = () => childrenWith('photos/decoder.ts')
const give = (bytes: Buffer) => async () => bytes
const thumbnail = (decoders: Decoders) => decoders.render('thumb', give(photo))

test('give what images.ts makes of a picture', async () => {
  const decoders = open()
  expect(await decoders.inspect(samplePath(1))).toEqual(await inspectPhoto(samplePath(1)))
  for (const [rendition, render] of [
    ['thumb', renderThumbnail],
    ['preview', renderPreview],
    ['full', renderFull],
  ] as const)
    expect(await decoders.render(rendition, give(photo))).toEqual(await render(photo))
  expect(await sharp(await decoders.selfie(photo)).metadata()).toMatchObject({ width: 1920 })
  expect(await decoders.upright(photo, 'index')).toEqual(photo)
  const quarter = { left: 0.5, top: 0.5, width: 0.5, height: 0.5 }
  expect(await sharp(await decoders.cropped(photo, quarter)).metadata()).toMatchObject({
    width: 960,
  })
})

test('a picture that takes too long is refused: its process is ended, and others are unharmed', async () => {
  const decoders = open({ limits: LITTLE_TIME })
  await thumbnail(decoders)
  const [pid] = pids() as [number]
  const slow = expect(decoders.render('full', give(scanBomb))).rejects.toMatchObject({
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The photo takes too long to process. Please save it again as a normal JPEG',
  })
  await thumbnail(decoders)
  await slow
  expect(isRunning(pid)).toBe(false)
  await thumbnail(decoders)
})

test('however many pictures are opened, decoders are left to selfies', async () => {
  const cores = Math.min(availableParallelism(), 4)
  const decoders = open()
  /** A picture is in work from the moment at which it is read. */
  const read = Promise.withResolvers<Buffer>()
  const opened = Array.from({ length: cores + 3 }, () => decoders.render('thumb', () => read.promise))
  const all = { waiting: 2, running: cores + 1 }
  expect(decoders.figures()).toEqual(all)
  await decoders.selfie(photo)
  expect(decoders.figures()).toEqual(all)
  read.resolve(photo)
  await Promise.all(opened)
})

test('a selfie that is not a picture is refused, by its content', async () => {
  const decoders = open()
  const code = 'UNSUPPORTED_MEDIA_TYPE'
  const refused = { name: 'AppError', code, message: 'Please upload an image file (JPG, PNG, etc.)' }
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
  const tiff = await sharp(photo).resize(50).tiff().toBuffer()
  for (const bytes of [Buffer.from('hello'), svg, tiff])
    await expect(decoders.selfie(bytes)).rejects.toMatchObject(refused)
  await expect(decoders.selfie(heic)).rejects.toThrow('HEIC')
  await expect(decoders.selfie(Buffer.alloc(0))).rejects.toThrow('The file is empty')
})
