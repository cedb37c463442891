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

const LITTLE_TIME = { processorLimit: 2_000, timeLimit: 60_000, memoryLimit: 800_000_000 }

let folder: string
let photo: Buffer
/** 300 KB that take at least ten seconds. */
let scanBomb: Buffer
let hugePhoto: Buffer
const opened: Decoders[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inframe-decoders-'))
  photo = await readFile(samplePath(1))
  const blank = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#789' } })
  const options = { progressive: true, chromaSubsampling: '4:4:4' }
  scanBomb = withEmptyScans(await blank(4_000).greyscale().jpeg(options).toBuffer(), 6_000)
  hugePhoto = await blank(5_000).jpeg(options).toBuffer()
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
const of = (albumId: string) => ({ network: albumId, albumId })
const caller = { address: '192.0.2.1', signal: new AbortController().signal }

const newPath = () => join(folder, randomUUID())

test('give what images.ts makes of a picture', async () => {
  const decoders = open()
  expect(await decoders.inspect(samplePath(1), 'album')).toEqual(await inspectPhoto(samplePath(1)))
  const full = await renderFull(photo)
  const path = newPath()
  expect(await decoders.full(give(photo), path, of('album'))).toBe(full.length)
  expect(await readFile(path)).toEqual(full)
  expect(await sharp(await decoders.thumbnail(give(photo), of('album'))).metadata()).toMatchObject({
    width: 640,
  })
  expect(await sharp(await decoders.selfie(photo, caller)).metadata()).toMatchObject({ width: 1920 })
  expect(await decoders.isReadable(photo, 'view', 'album')).toBe(true)
  expect(await decoders.upright(photo, 'index', 'album')).toEqual(photo)
  const quarter = { left: 0.5, top: 0.5, width: 0.5, height: 0.5 }
  expect(await sharp(await decoders.cropped(photo, quarter, 'album')).metadata()).toMatchObject({
    width: 960,
  })
})

test('say that the disk is full when the full size cannot be written', async () => {
  const decoders = open()
  const nowhere = join(folder, 'missing', 'full')
  await expect(decoders.full(give(photo), nowhere, of('album'))).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(decoders.full(give(photo), '/dev/full', of('album'))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The photo storage is full',
  })
})

test('a picture that takes too long is refused: its process is ended, and others are unharmed', async () => {
  const decoders = open({ limits: LITTLE_TIME })
  await decoders.thumbnail(give(photo), of('album'))
  const [pid] = pids() as [number]
  const slow = expect(decoders.full(give(scanBomb), newPath(), of('attacked'))).rejects.toMatchObject({
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The photo takes too long to process. Please save it again as a normal JPEG',
  })
  await decoders.thumbnail(give(photo), of('another album'))
  expect(decoders.figures()).toEqual({ waiting: 0, running: 1 })
  await slow
  expect(isRunning(pid)).toBe(false)
  await decoders.thumbnail(give(photo), of('attacked'))
})

test('slow pictures that one network opens leave a decoder to another network, and one to selfies', async () => {
  const cores = Math.min(availableParallelism(), 4)
  const decoders = open({ limits: { ...LITTLE_TIME, processorLimit: 6_000 } })
  const isWorking = (count: number) =>
    expect.poll(() => decoders.figures().running, { interval: 5, timeout: 20_000 }).toBe(count)
  /** More than all decoders can have begun in the meantime. */
  const photos = 3 * cores + 2
  const openSlowly = (network: string) =>
    Promise.allSettled(
      Array.from({ length: photos }, (_, album) =>
        decoders.full(give(scanBomb), newPath(), { network, albumId: `album ${album} of ${network}` }),
      ),
    )
  const slow = [openSlowly(caller.address)]
  await isWorking(cores)
  await decoders.thumbnail(give(photo), { network: '192.0.2.3', albumId: 'album' })
  // Its sender is in the same network.
  await decoders.selfie(photo, caller)
  expect(decoders.figures().waiting).toBeGreaterThanOrEqual(photos - 2 * cores)
  slow.push(openSlowly('192.0.2.4'))
  await isWorking(cores + 1)
  await decoders.selfie(photo, caller)
  expect(decoders.figures().waiting).toBeGreaterThanOrEqual(2 * photos - 3 * cores - 1)
  // They are not waited for, because each takes as long as the limit.
  for (const pid of pids()) process.kill(pid, 'SIGKILL')
  void slow
})

test('a decoder that is killed while it works harms nobody: the picture is decoded by another', async () => {
  const decoders = open()
  await decoders.thumbnail(give(photo), of('album'))
  const [pid] = pids() as [number]
  const [path, otherPath] = [newPath(), newPath()]
  const interrupted = decoders.full(give(hugePhoto), path, of('album'))
  const other = decoders.full(give(photo), otherPath, of('another album'))
  await expect.poll(() => decoders.figures().running, { interval: 1 }).toBeGreaterThan(0)
  process.kill(pid, 'SIGKILL')
  await Promise.all([interrupted, other])
  expect(await sharp(path).metadata()).toMatchObject({ width: 5_000 })
  expect(await sharp(otherPath).metadata()).toMatchObject({ width: 1920 })
  expect(pids()).not.toContain(pid)
})

test('a picture that ends two decoders is refused', async () => {
  const decoders = open()
  const refused = expect(decoders.full(give(scanBomb), newPath(), of('album'))).rejects.toMatchObject({
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The photo could not be processed. Please save it again as a normal JPEG',
  })
  const killed = new Set<number>()
  while (killed.size < 2) {
    await expect.poll(() => pids().filter((pid) => !killed.has(pid)), { interval: 5 }).toHaveLength(1)
    // A process that has not begun with the picture yet would only be started again.
    await expect.poll(() => decoders.figures().running, { interval: 1 }).toBe(1)
    for (const pid of pids()) {
      killed.add(pid)
      process.kill(pid, 'SIGKILL')
    }
  }
  await refused
})

test('a stopping service refuses pictures that wait', async () => {
  const decoders = open()
  await decoders.close()
  await expect(decoders.thumbnail(give(photo), of('album'))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryAfter: 5,
  })
})
