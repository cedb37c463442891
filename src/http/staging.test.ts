import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { diskAlmostFull } from '../storage/free-disk.ts'
import { readSample } from '../testing/client.ts'
import { folderOfFile } from '../testing/folder-of-file.ts'
import { createStaging } from './staging.ts'

const parent = await folderOfFile()
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(parent, 'staging-'))
  await writeFile(join(folder, 'old'), 'half')
  await writeFile(join(folder, 'new'), 'half')
  const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
  await utimes(join(folder, 'old'), twoHoursAgo, twoHoursAgo)
})

const freeDisk = { require: async () => {} }

test('a folder that processes share loses only its old files at the start', async () => {
  await createStaging(folder, { exclusive: false, freeDisk })
  expect(await readdir(folder)).toEqual(['new'])
})

const file = (...chunks: Uint8Array[]) => ({
  stream: Readable.from(chunks),
  filename: 'photo.jpg',
  isCut: () => false,
})

test('all bytes are written as they were sent, for no other account, and hashed', async () => {
  const staging = await createStaging(folder, { exclusive: true, freeDisk })
  const photo = await readSample(1)
  const received = await staging.receive(file(photo.subarray(0, 5000), photo.subarray(5000)))
  expect((await readFile(received.path)).equals(photo)).toBe(true)
  expect((await stat(received.path)).mode & 0o777).toBe(0o600)
  const sha256 = createHash('sha256').update(photo).digest()
  expect(received).toMatchObject({ size: photo.length, sha256 })
})

test('the rest of a file is refused when the disk is almost full, and nothing of it remains', async () => {
  let room = 1500
  const almostFull = {
    async require(bytes = 0) {
      room -= bytes
      if (room < 0) throw diskAlmostFull()
    },
  }
  const staging = await createStaging(folder, { exclusive: true, freeDisk: almostFull })
  const upload = staging.receive(file(Buffer.alloc(1000), Buffer.alloc(1000)))
  await expect(upload).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 60 })
  expect(await readdir(folder)).toEqual([])
  room = 1000
  await staging.receive(file(Buffer.alloc(1000)))
})
