import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diskAlmostFull } from '../storage/free-disk.ts'
import { readSample } from '../testing/client.ts'
import { createStaging } from './staging.ts'

const mostBytes = 100e6
const NETWORK = '192.0.2.1'

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
  await createStaging(folder, { exclusive: false, mostBytes, freeDisk })
  expect(await readdir(folder)).toEqual(['new'])
})

const file = (...chunks: Uint8Array[]) => ({
  stream: Readable.from(chunks),
  filename: 'photo.jpg',
  isCut: () => false,
})

test('all bytes are written as they were sent, for no other account, and hashed', async () => {
  const staging = await createStaging(folder, { exclusive: true, mostBytes, freeDisk })
  const photo = await readSample(1)
  const received = await staging.receive(file(photo.subarray(0, 5000), photo.subarray(5000)), NETWORK)
  expect((await readFile(received.path)).equals(photo)).toBe(true)
  expect((await stat(received.path)).mode & 0o777).toBe(0o600)
  const sha256 = createHash('sha256').update(photo).digest()
  expect(received).toMatchObject({ size: photo.length, sha256 })
})

test('bytes are given back when the file is discarded, and when its upload fails', async () => {
  const staging = await createStaging(folder, { exclusive: true, mostBytes: 2000, freeDisk })
  const received = await staging.receive(file(Buffer.alloc(900)), NETWORK)
  await expect(staging.receive(file(Buffer.alloc(100), Buffer.alloc(900)), NETWORK)).rejects.toThrow(
    'Too many photos are being uploaded at the moment',
  )
  expect(await readdir(folder)).toHaveLength(1)
  await staging.discard([received])
  expect(await readdir(folder)).toEqual([])
  await staging.receive(file(Buffer.alloc(1000)), NETWORK)
})

test('one network gets half of the bytes', async () => {
  const staging = await createStaging(folder, { exclusive: true, mostBytes: 2000, freeDisk })
  await staging.receive(file(Buffer.alloc(1000)), NETWORK)
  await expect(staging.receive(file(Buffer.alloc(1)), NETWORK)).rejects.toMatchObject({ retryAfter: 10 })
  await staging.receive(file(Buffer.alloc(1000)), '192.0.2.2')
  await expect(staging.receive(file(Buffer.alloc(1)), '192.0.2.3')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
})

test('the rest of a file is refused when the disk is almost full, and nothing of it remains', async () => {
  let room = 1500
  const almostFull = {
    async require(bytes = 0) {
      room -= bytes
      if (room < 0) throw diskAlmostFull()
    },
  }
  const staging = await createStaging(folder, { exclusive: true, mostBytes: 2000, freeDisk: almostFull })
  const upload = staging.receive(file(Buffer.alloc(1000), Buffer.alloc(1000)), NETWORK)
  await expect(upload).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 60 })
  expect(await readdir(folder)).toEqual([])
  room = 1000
  await staging.receive(file(Buffer.alloc(1000)), NETWORK)
})
