import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diskAlmostFull } from '../storage/free-disk.ts'
import { readSample } from '../testing/client.ts'
import { createStaging } from './staging.ts'
import { createStagingBudget, type StagingBudget, type Upload } from './staging-budget.ts'

const budget = createStagingBudget(100e6)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inframe-staging-'))
  await writeFile(join(folder, 'old'), 'half')
  await writeFile(join(folder, 'new'), 'half')
  const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
  await utimes(join(folder, 'old'), twoHoursAgo, twoHoursAgo)
})
afterEach(() => rm(folder, { recursive: true }))

const freeDisk = { require: async () => {} }

test('a folder that processes share loses only its old files at the start', async () => {
  await createStaging(folder, { exclusive: false, budget, freeDisk })
  expect(await readdir(folder)).toEqual(['new'])
})

test('the start goes on when a file disappears at the same moment', async () => {
  // Listed in the folder, but no longer found.
  await symlink(join(folder, 'missing'), join(folder, 'moved'))
  await createStaging(folder, { exclusive: false, budget, freeDisk })
  expect(await readdir(folder)).toEqual(['moved', 'new'])
})

const uploadTo = (album: string): Upload => ({
  album,
  address: '192.0.2.1',
  isWaiting: false,
  isSlow: () => false,
  giveWay: undefined,
})

const file = (...chunks: Uint8Array[]) => ({
  stream: Readable.from(chunks),
  filename: 'photo.jpg',
  isCut: () => false,
})

test('only the picture is written, and the hash is that of all bytes that were sent', async () => {
  const staging = await createStaging(folder, { exclusive: true, budget, freeDisk })
  const photo = await readSample(1)
  const video = Buffer.from('ftypmp42 and a video')
  const cut = await staging.receive(file(photo.subarray(0, 5000), photo.subarray(5000), video), uploadTo('1'))
  expect((await readFile(cut.path)).equals(photo)).toBe(true)
  expect(cut.size).toBe(photo.length)
  const sha256 = createHash('sha256').update(photo).update(video).digest()
  expect(cut.sha256).toEqual(sha256)
  // The picture ends in the middle of a chunk.
  const again = await staging.receive(file(Buffer.concat([photo, video])), uploadTo('1'))
  expect(again).toMatchObject({ size: photo.length, sha256 })
})

test('bytes are given back when the file is discarded, and when its upload fails', async () => {
  const small = createStagingBudget(2000, 1)
  const staging = await createStaging(folder, { exclusive: true, budget: small, freeDisk })
  const received = await staging.receive(file(Buffer.alloc(900)), uploadTo('1'))
  await expect(staging.receive(file(Buffer.alloc(100), Buffer.alloc(900)), uploadTo('1'))).rejects.toThrow(
    'Too many photos are being uploaded at the moment',
  )
  expect(await readdir(folder)).toHaveLength(1)
  await staging.discard([received])
  expect(await readdir(folder)).toEqual([])
  await staging.receive(file(Buffer.alloc(1000)), uploadTo('1'))
})

test('bytes that an ended upload was waiting for are given back', async () => {
  const small = createStagingBudget(2000)
  const waits = Promise.withResolvers<void>()
  const watched: StagingBudget = {
    ...small,
    take(...args) {
      const wait = small.take(...args)
      if (wait) waits.resolve()
      return wait
    },
  }
  const staging = await createStaging(folder, { exclusive: true, budget: watched, freeDisk })
  const first = await staging.receive(file(Buffer.alloc(1000)), uploadTo('1'))
  const stream = new PassThrough()
  const second = staging.receive({ ...file(), stream }, uploadTo('1'))
  stream.write(Buffer.alloc(1000))
  await waits.promise
  stream.destroy(new Error('The client has gone'))
  await expect(second).rejects.toThrow('The client has gone')
  await staging.discard([first])
  await expect.poll(() => small.take(1000, uploadTo('1'))).toBeUndefined()
})

test('the rest of a file is refused when the disk is almost full, and nothing of it remains', async () => {
  let room = 1500
  const almostFull = {
    async require(bytes = 0) {
      room -= bytes
      if (room < 0) throw diskAlmostFull()
    },
  }
  const small = createStagingBudget(2000)
  const staging = await createStaging(folder, { exclusive: true, budget: small, freeDisk: almostFull })
  const upload = staging.receive(file(Buffer.alloc(1000), Buffer.alloc(1000)), uploadTo('1'))
  await expect(upload).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 60 })
  expect(await readdir(folder)).toEqual([])
  expect(small.take(1000, uploadTo('1'))).toBeUndefined()
})
