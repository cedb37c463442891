import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createDiskStorage } from '../storage/disk.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { createDecoders, type Decoders } from './decoders.ts'
import type { PhotoSize } from './links.ts'
import { findRendition, photoKey } from './renditions.ts'

let root: string
let storage: FileStorage
let decoders: Decoders
let sample: Buffer
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'inframe-renditions-'))
  storage = await createDiskStorage(root)
  decoders = createDecoders({ log: createLog('silent') })
  const samples = join(import.meta.dirname, '../../node_modules/@vladmandic/face-api/demo')
  sample = await readFile(join(samples, 'sample2.jpg'))
})
afterAll(async () => {
  await decoders.close()
  await rm(root, { recursive: true })
})

/** As the photo route does, with photos on the disk. */
async function openRendition(
  from: { storage: FileStorage },
  photo: Parameters<typeof findRendition>[1],
  size: PhotoSize,
) {
  const { key, mediaType } = await findRendition({ ...from, decoders }, photo, size)
  return { ...(await from.storage.open(key)), mediaType }
}

async function storedPhoto(original: Buffer, media_type: 'image/jpeg' | 'image/png' = 'image/jpeg') {
  const photo = { album_id: randomUUID(), sha256: createHash('sha256').update(original).digest(), media_type }
  await storage.write(photoKey(photo.album_id, photo.sha256, 'original'), original, media_type)
  return photo
}

test('names files by album and content', () => {
  const sha256 = createHash('sha256').update('').digest()
  expect(photoKey('a-1', sha256, 'full')).toBe(
    'albums/a-1/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855/full',
  )
})

test('makes the full size once, at the first request, without metadata', async () => {
  const photo = await storedPhoto(sample)
  const key = photoKey(photo.album_id, photo.sha256, 'full')
  expect(await storage.exists(key)).toBe(false)
  const first = await openRendition({ storage }, photo, 'full')
  const bytes = await buffer(first.stream)
  expect(first).toMatchObject({ size: bytes.length, mediaType: 'image/jpeg' })
  const found = await sharp(bytes).metadata()
  expect(found).toMatchObject({ format: 'jpeg', width: 1920, height: 1367 })
  expect(found).not.toHaveProperty('exif')

  const made = await stat(join(root, key))
  const download = await openRendition({ storage }, photo, 'download')
  expect(bytes.equals(await buffer(download.stream))).toBe(true)
  expect((await stat(join(root, key))).ino).toBe(made.ino)
})

test('is made once for several simultaneous requests', async () => {
  const photo = await storedPhoto(sample)
  let written = 0
  const counting: FileStorage = {
    ...storage,
    async write(key, bytes, mediaType) {
      written++
      await storage.write(key, bytes, mediaType)
    },
  }
  const sizes = ['full', 'download', 'full', 'download', 'full'] as const
  const opened = await Promise.all(sizes.map((size) => openRendition({ storage: counting }, photo, size)))
  const received = await Promise.all(opened.map(({ stream }) => buffer(stream)))
  expect(received.every((bytes) => bytes.equals(received[0]!))).toBe(true)
  expect(written).toBe(1)
})

test('makes a preview that is missing once, at the first request: a JPEG, also of a PNG', async () => {
  const large = await sharp(sample).resize(2400).png({ compressionLevel: 1 }).toBuffer()
  const photo = await storedPhoto(large, 'image/png')
  const { stream, mediaType } = await openRendition({ storage }, photo, 'preview')
  expect(mediaType).toBe('image/jpeg')
  expect(await sharp(await buffer(stream)).metadata()).toMatchObject({ format: 'jpeg', width: 2000 })
  const key = photoKey(photo.album_id, photo.sha256, 'preview')
  await storage.write(key, Buffer.from('the preview of the engine'), 'image/jpeg')
  const again = await openRendition({ storage }, photo, 'preview')
  expect((await buffer(again.stream)).toString()).toBe('the preview of the engine')
})

test('makes a PNG from a PNG', async () => {
  const photo = await storedPhoto(await sharp(sample).resize(300).png().toBuffer(), 'image/png')
  const { stream, mediaType } = await openRendition({ storage }, photo, 'download')
  expect(mediaType).toBe('image/png')
  expect((await sharp(await buffer(stream)).metadata()).format).toBe('png')
})

test('serves the stored thumbnail, and makes one that is missing', async () => {
  const photo = await storedPhoto(sample)
  const { stream, mediaType } = await openRendition({ storage }, photo, 'thumb')
  expect(mediaType).toBe('image/webp')
  expect(await sharp(await buffer(stream)).metadata()).toMatchObject({ format: 'webp', width: 640 })

  const key = photoKey(photo.album_id, photo.sha256, 'thumb')
  expect(await storage.exists(key)).toBe(true)
  await storage.write(key, Buffer.from('the thumbnail of the upload'), 'image/webp')
  const again = await openRendition({ storage }, photo, 'thumb')
  expect((await buffer(again.stream)).toString()).toBe('the thumbnail of the upload')
})

test('is NOT_FOUND for a photo that was erased', async () => {
  const photo = await storedPhoto(sample)
  await storage.deleteFolder(`albums/${photo.album_id}`)
  for (const size of ['thumb', 'preview', 'full', 'download'] as const)
    await expect(openRendition({ storage }, photo, size)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('stores nothing when the album is erased while a rendition is made', async () => {
  const photo = await storedPhoto(sample)
  const erasedMeanwhile: FileStorage = {
    ...storage,
    async read(key) {
      const bytes = await storage.read(key)
      await storage.deleteFolder(`albums/${photo.album_id}`)
      return bytes
    },
  }
  const opening = openRendition({ storage: erasedMeanwhile }, photo, 'full')
  await expect(opening).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await storage.count(`albums/${photo.album_id}`)).toBe(0)
})

test('tries again after a failure', async () => {
  const photo = await storedPhoto(sample)
  let failures = 1
  const failingOnce: FileStorage = {
    ...storage,
    async read(key) {
      if (failures-- > 0) throw new Error('the disk failed')
      return storage.read(key)
    },
  }
  const open = () => openRendition({ storage: failingOnce }, photo, 'full')
  await expect(open()).rejects.toThrow('the disk failed')
  expect(await buffer((await open()).stream)).not.toHaveLength(0)
})
