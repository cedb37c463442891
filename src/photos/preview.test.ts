import sharp, { type Sharp } from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Photo } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { encodePreview, readPixels } from '../faces/embedded/networks/pixels.ts'
import { PREVIEW_SIDE } from '../faces/preview.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { domainOfFile } from '../testing/domain.ts'
import { faceIndexWith } from '../testing/engine-answers.ts'
import { samplePath, samplePhotos } from '../testing/sample-photos.ts'
import { uploadBatch } from '../uploads/accept-batch.ts'
import { settleIndexed } from '../uploads/settle.ts'
import { renderPreview } from './images.ts'
import type { FoundFaces } from './index-faces.ts'
import { findFacesOfPhoto } from './index-faces.ts'
import { findRendition } from './renditions.ts'

const sample = samplePhotos()[0]!
const small = () => sharp(sample).resize(300)

test.each<[string, (image: Sharp) => Sharp]>([
  ['a photo of a camera', (image) => image],
  ['a photo with a time', (image) => image.withExif({ IFD2: { DateTimeOriginal: '2025:08:19 14:03:22' } })],
  ['a turned photo', (image) => image.withMetadata({ orientation: 6 })],
  ['a grey photo', (image) => image.greyscale()],
  ['a CMYK photo', (image) => image.toColourspace('cmyk')],
  ['a photo with many colours', (image) => image.withIccProfile('p3')],
])('%s has the same preview from the face engine as from a decoder', async (_, change) => {
  const photo = await change(small()).jpeg({ quality: 95 }).toBuffer()
  const ofEngine = await encodePreview(await readPixels(photo, PREVIEW_SIDE), photo)
  expect(await sharp(ofEngine).metadata()).not.toHaveProperty('icc')
  expect(ofEngine.equals(await renderPreview(photo))).toBe(true)
})

const domain = await domainOfFile()

describe('a preview that the face engine made', () => {
  const PREVIEW = Buffer.from('the preview of the engine')
  let photo: Photo
  let isWanted: boolean | undefined

  beforeEach(async () => {
    const album = await domain.newAlbum()
    await uploadBatch(domain, album, {}, [await domain.stage(samplePath(1))])
    photo = await domain.db
      .selectFrom('photos')
      .selectAll()
      .where('album_id', '=', album.id)
      .executeTakeFirstOrThrow()
  })

  const faces = faceIndexWith({
    indexPhoto: async (_albumId, _photoId, source) => {
      isWanted = source.keepPreview !== undefined
      await source.keepPreview?.(PREVIEW)
      return { faces: [], unindexed: [] }
    },
  })

  const index = async ({ storage = domain.storage, again = false } = {}) =>
    (await findFacesOfPhoto({ ...domain, storage, faces }, photo.id, {
      isRepeat: again,
      again,
    })) as FoundFaces
  const shown = async () =>
    domain.storage.read((await findRendition(domain, photo, 'preview', { network: '192.0.2.1' })).key)

  test('is not made again when the photo is indexed again', async () => {
    await settleIndexed(domain, await index())
    expect(isWanted).toBe(true)
    await index({ again: true })
    expect(isWanted).toBe(false)
  })

  test('is lost while storage takes no files, but the photo is indexed, and the first guest gets another', async () => {
    const unavailable = new AppError('SERVICE_UNAVAILABLE', 'The photo storage is currently unavailable')
    const full: FileStorage = { ...domain.storage, write: () => Promise.reject(unavailable) }
    expect(await index({ storage: full })).toMatchObject({ found: { faces: [] } })
    expect(await sharp(await shown()).metadata()).toMatchObject({ width: 1920 })
  })
})
