import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { childrenWith, isRunning } from '../testing/child-processes.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { withEmptyScans } from '../testing/scan-bomb.ts'
import { createDecoders, type Decoders, type DecodersOptions } from './decoders.ts'
import { inspectPhoto, renderFull } from './images.ts'

const LITTLE_TIME = { processorLimit: 1_000, timeLimit: 60_000, memoryLimit: 800_000_000 }

let folder: string
let photo: Buffer
/** 300 KB that take at least ten seconds. */
let scanBomb: Buffer
const opened: Decoders[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inframe-decoders-'))
  photo = await readFile(samplePath(1))
  const blank = sharp({ create: { width: 4_000, height: 4_000, channels: 3, background: '#789' } })
  scanBomb = withEmptyScans(await blank.greyscale().jpeg({ progressive: true }).toBuffer(), 6_000)
})
afterEach(() => Promise.all(opened.splice(0).map((decoders) => decoders.close())))
afterAll(() => rm(folder, { recursive: true }))

function open(options: Partial<DecodersOptions> = {}): Decoders {
  const decoders = createDecoders({ log: createLog('silent'), ...options })
  opened.push(decoders)
  return decoders
}

const pids = () => childrenWith('photos/decoder.ts')
const give = (bytes: Buffer) => async () => bytes
const newPath = () => join(folder, randomUUID())

test('give what images.ts makes of a picture', async () => {
  const decoders = open()
  expect(await decoders.inspect(samplePath(1))).toEqual(await inspectPhoto(samplePath(1)))
  const full = await renderFull(photo)
  const path = newPath()
  expect(await decoders.full(give(photo), path)).toBe(full.length)
  expect(await readFile(path)).toEqual(full)
  expect(await sharp(await decoders.thumbnail(give(photo))).metadata()).toMatchObject({
    width: 640,
  })
  expect(await sharp(await decoders.selfie(photo)).metadata()).toMatchObject({ width: 1920 })
  expect(await decoders.isReadable(photo, 'view')).toBe(true)
  expect(await decoders.upright(photo, 'index')).toEqual(photo)
  const quarter = { left: 0.5, top: 0.5, width: 0.5, height: 0.5 }
  expect(await sharp(await decoders.cropped(photo, quarter)).metadata()).toMatchObject({
    width: 960,
  })
})

test('say that the disk is full when the full size cannot be written', async () => {
  const decoders = open()
  const nowhere = join(folder, 'missing', 'full')
  await expect(decoders.full(give(photo), nowhere)).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(decoders.full(give(photo), '/dev/full')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The photo storage is full',
  })
})

test('a picture that takes too long is refused: its process is ended, and others are unharmed', async () => {
  const decoders = open({ limits: LITTLE_TIME })
  await decoders.thumbnail(give(photo))
  const [pid] = pids() as [number]
  const slow = expect(decoders.full(give(scanBomb), newPath())).rejects.toMatchObject({
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The photo takes too long to process. Please save it again as a normal JPEG',
  })
  await decoders.thumbnail(give(photo))
  await slow
  expect(isRunning(pid)).toBe(false)
  await decoders.thumbnail(give(photo))
})

test('however many pictures are opened, a decoder is left to selfies', async () => {
  const cores = Math.min(availableParallelism(), 4)
  const decoders = open()
  /** A picture is in work from the moment at which it is read. */
  const read = Promise.withResolvers<Buffer>()
  const opened = Array.from({ length: cores + 3 }, () => decoders.thumbnail(() => read.promise))
  const all = { waiting: 2, running: cores + 1 }
  await expect.poll(() => decoders.figures()).toEqual(all)
  await decoders.selfie(photo)
  expect(decoders.figures()).toEqual(all)
  read.resolve(photo)
  await Promise.all(opened)
})
