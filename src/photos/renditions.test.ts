import { createHash, randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createDiskStorage } from '../storage/disk.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { diskAlmostFull, type FreeDisk } from '../storage/free-disk.ts'
import { domainOfFile } from '../testing/domain.ts'
import { exifFields, onlyTakenAt } from '../testing/exif-fields.ts'
import { folderOfFile } from '../testing/folder-of-file.ts'
import { insertPhotoRows } from '../testing/indexed-photos.ts'
import { samplePath } from '../testing/sample-photos.ts'
import type { Decoders } from './decoders.ts'
import { renderFull } from './images.ts'
import type { PhotoSize } from './links.ts'
import { type Asker, findRendition, photoKey } from './renditions.ts'

const root = await folderOfFile()
const domain = await domainOfFile()
const storage = await createDiskStorage(root)
const sample = await readFile(samplePath(2))

/** As the photo route does, with photos on the disk. */
async function openRendition(
  from: { storage: FileStorage; decoders?: Decoders; freeDisk?: FreeDisk },
  photo: Parameters<typeof findRendition>[1],
  size: PhotoSize,
  asker: Asker = { network: '192.0.2.1' },
) {
  const { key, mediaType } = await findRendition({ ...domain, ...from }, photo, size, asker)
  return { ...(await from.storage.open(key)), mediaType }
}

/** Makes a rendition, unless it is stored, and reads it. */
async function bytesOf(...opened: Parameters<typeof openRendition>): Promise<Buffer> {
  return await buffer((await openRendition(...opened)).stream)
}

/** A photo of a new album. */
async function storedPhoto(original: Buffer, media_type: 'image/jpeg' | 'image/png' = 'image/jpeg') {
  const { id: album_id } = await domain.newAlbum()
  const sha256 = createHash('sha256').update(original).digest()
  const { width = 1, height = 1 } = await sharp(original)
    .metadata()
    .catch(() => ({}) as { width?: number; height?: number })
  const row = { sha256, media_type, width, height, size: original.length, filename: 'a' }
  const [photo] = await insertPhotoRows(domain.db, album_id, [row])
  await storage.write(photoKey(album_id, sha256, 'original'), original, media_type)
  return photo!
}

test('makes the full size once, at the first request, with no metadata but its time', async () => {
  const photo = await storedPhoto(sample)
  const key = photoKey(photo.album_id, photo.sha256, 'full')
  expect(await storage.exists(key)).toBe(false)
  const first = await openRendition({ storage }, photo, 'full')
  const bytes = await buffer(first.stream)
  expect(first).toMatchObject({ size: bytes.length, mediaType: 'image/jpeg' })
  const found = await sharp(bytes).metadata()
  expect(found).toMatchObject({ format: 'jpeg', width: 1920, height: 1367 })
  expect(await exifFields(bytes)).toEqual(onlyTakenAt('2016:08:13 01:11:41'))

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

test('is not begun when who asked for it hung up before its turn; another network does not wait', async () => {
  const held = Promise.withResolvers<void>()
  let reads = 0
  const holding: FileStorage = {
    ...storage,
    async read(key) {
      reads++
      await held.promise
      return await storage.read(key)
    },
  }
  // The network has as many in work as it may.
  const photos = await Promise.all(Array.from({ length: availableParallelism() }, () => storedPhoto(sample)))
  const busy = photos.map((photo) => openRendition({ storage: holding }, photo, 'full'))
  const leaving = new AbortController()
  const asker = { network: '192.0.2.1', signal: leaving.signal }
  const late = await storedPhoto(sample)
  const waiting = openRendition({ storage: holding }, late, 'full', asker)
  leaving.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  const elsewhere = { network: '192.0.2.2' }
  expect(await bytesOf({ storage }, await storedPhoto(sample), 'full', elsewhere)).not.toHaveLength(0)
  held.resolve()
  for (const { stream } of await Promise.all(busy)) await buffer(stream)
  expect(reads).toBe(photos.length)
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
  const full = await openRendition({ storage }, photo, 'full')
  expect(full.mediaType).toBe('image/png')
  expect((await sharp(await buffer(full.stream)).metadata()).format).toBe('png')
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

test('a picture that cannot be decoded is refused with its reason each time, and others are made as before', async () => {
  const photo = await storedPhoto(sample.subarray(0, 9000))
  for (const size of ['thumb', 'preview', 'full', 'download', 'full'] as const)
    await expect(openRendition({ storage }, photo, size)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The photo is damaged or incomplete',
    })
  const sound = await bytesOf({ storage }, await storedPhoto(sample), 'full')
  expect(sound.length).toBeGreaterThan(100_000)
})

test('no picture has more than 20 MB at full size: one that was made for that is as large as its preview', async () => {
  const [width, height] = [6000, 5000]
  const noise = sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
  const full = await renderFull(await noise.png({ compressionLevel: 0 }).toBuffer())
  expect(await sharp(full).metadata()).toMatchObject({ format: 'jpeg', width: 2000 })
  expect(full.length).toBeLessThan(5e6)
})

test('the bytes at full size are recorded before it is stored, and of a deleted photo neither', async () => {
  const photo = await storedPhoto(sample)
  const failing: FileStorage = { ...storage, write: () => Promise.reject(new Error('the process died')) }
  await expect(openRendition({ storage: failing }, photo, 'full')).rejects.toThrow('the process died')
  const recorded = domain.db.selectFrom('photos').select('full_bytes').where('album_id', '=', photo.album_id)
  const full = await bytesOf({ storage }, photo, 'full')
  expect(await recorded.execute()).toEqual([{ full_bytes: full.length }])
  const deleted = { ...photo, sha256: randomBytes(32) }
  await storage.write(photoKey(photo.album_id, deleted.sha256, 'original'), sample, 'image/jpeg')
  await expect(openRendition({ storage }, deleted, 'full')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('is refused while the disk is almost full, except one that is stored', async () => {
  const photo = await storedPhoto(sample)
  const freeDisk: FreeDisk = { ...domain.freeDisk, require: () => Promise.reject(diskAlmostFull()) }
  for (const size of ['thumb', 'preview', 'full', 'download'] as const)
    await expect(openRendition({ storage, freeDisk }, photo, size)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfter: 60,
    })
  const full = await bytesOf({ storage }, photo, 'full')
  expect((await bytesOf({ storage, freeDisk }, photo, 'full')).equals(full)).toBe(true)
})
