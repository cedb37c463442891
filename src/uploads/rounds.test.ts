import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Progress } from '../contract/albums/albums.ts'
import type { UploadFields } from '../contract/photos.ts'
import type { Photo } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { skippedFiles } from '../photos/owner-queries.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { type BatchResult, uploadBatch } from './accept-batch.ts'
import { closeQuietRounds, finishUpload } from './finish.ts'
import { progressOf } from './progress.ts'
import { findAlbumWithProgress } from './queries.ts'
import { settleGivenUp } from './settle.ts'

newAlbumForEachTest()

async function upload(samples: number[], fields: UploadFields = {}): Promise<BatchResult> {
  const staged = await Promise.all(samples.map((sample) => domain.stage(samplePath(sample))))
  return await uploadBatch(domain, album, fields, staged)
}

async function progress(): Promise<Progress> {
  return progressOf((await findAlbumWithProgress(domain.db, { id: album.id }))!, 'embedded')
}

const photos = (): Promise<Photo[]> =>
  domain.db.selectFrom('photos').selectAll().where('album_id', '=', album.id).orderBy('filename').execute()

const rounds = () =>
  domain.db.selectFrom('upload_rounds').selectAll().where('album_id', '=', album.id).execute()

const noFaces = { faces: [], unindexed: [] }

async function settleAll(): Promise<void> {
  for (const photo of await photos()) await domain.settle(photo, noFaces)
}

/** How many letters this album has requested. They are begun at once, so that none waits for the next round. */
async function letters(): Promise<number> {
  const begun = domain.db
    .updateTable('letters')
    .set({ claimed_at: new Date() })
    .where('album_id', '=', album.id)
  return (await begun.returning('id').execute()).length
}

describe('an upload round', () => {
  test('is opened by a batch that names how many photos will come', async () => {
    const before = await progress()
    expect(before).toEqual({
      ...{ totalPhotos: 0, photosUploadedToS3: 0, photosIndexedToRekognition: 0 },
      ...{ isUploadingToS3: false, isIndexingToRekognition: false, isCompleted: false },
      ...{ isOfAnotherEngine: false, facesEndedAt: null, photosPerMinute: null, secondsLeft: null },
    })
    await upload([1, 2], { totalIntendedPhotos: 5 })
    const isUnderWay = { isUploadingToS3: true, isIndexingToRekognition: true }
    expect(await progress()).toEqual({ ...before, totalPhotos: 5, photosUploadedToS3: 2, ...isUnderWay })
  })

  test('closes when everything is stored, and the album completes with its last photo', async () => {
    await upload([1], { totalIntendedPhotos: 2 })
    await settleAll()
    expect(await progress()).toMatchObject({ isCompleted: false, photosIndexedToRekognition: 1 })
    await upload([2], { totalIntendedPhotos: 2 })
    expect(await progress()).toMatchObject({ isUploadingToS3: false, isIndexingToRekognition: true })
    expect(await letters()).toBe(0)
    await settleAll()
    expect(await progress()).toMatchObject({ totalPhotos: 2, isCompleted: true })
    expect(await letters()).toBe(1)
  })

  test('ends when the page says that no more photos will come', async () => {
    await upload([1, 2], { totalIntendedPhotos: 40 })
    await settleAll()
    await finishUpload(domain, album)
    expect(await progress()).toMatchObject({ totalPhotos: 2, photosUploadedToS3: 2, isCompleted: true })
    await finishUpload(domain, album)
    expect(await letters()).toBe(1)
  })

  test('ends after two quiet minutes, and not before', async () => {
    await upload([1], { totalIntendedPhotos: 9 })
    await settleAll()
    const lastHeard = (seconds: number) =>
      domain.db
        .updateTable('upload_rounds')
        .set({ last_activity_at: sql<Date>`now() - make_interval(secs => ${seconds})` })
        .where('album_id', '=', album.id)
        .execute()
    await lastHeard(115)
    await closeQuietRounds(domain)
    expect(await progress()).toMatchObject({ isUploadingToS3: true, isCompleted: false })
    await lastHeard(125)
    await closeQuietRounds(domain)
    expect(await progress()).toMatchObject({ totalPhotos: 1, isUploadingToS3: false, isCompleted: true })
    expect(await letters()).toBe(1)
  })

  test('is joined by a retried batch, which names no total', async () => {
    await upload([1], { totalIntendedPhotos: 2 })
    await upload([2])
    expect(await rounds()).toHaveLength(1)
    expect(await progress()).toMatchObject({ totalPhotos: 2, isUploadingToS3: false })
  })

  test('is not opened again by a batch that is sent again after the round has ended', async () => {
    await upload([1, 2], { totalIntendedPhotos: 2 })
    await settleAll()
    const again = await upload([1, 2], { totalIntendedPhotos: 2 })
    expect(again).toMatchObject({ successful: 2, failed: 0 })
    expect(await rounds()).toHaveLength(1)
    expect(await letters()).toBe(1)
  })

  test('without an announced number of photos ends after two quiet minutes', async () => {
    await upload([1])
    await settleAll()
    expect(await progress()).toMatchObject({ totalPhotos: 1, isUploadingToS3: true, isCompleted: false })
    await closeQuietRounds(domain, 0)
    expect(await progress()).toMatchObject({ isCompleted: true })
  })

  test('after the first leaves a complete album searchable, and gets its own letter', async () => {
    await upload([1], { totalIntendedPhotos: 1 })
    await settleAll()
    await upload([2], { totalIntendedPhotos: 2 })
    expect(await progress()).toMatchObject({
      totalPhotos: 3,
      photosUploadedToS3: 2,
      isUploadingToS3: true,
      isCompleted: true,
    })
    await finishUpload(domain, album)
    expect(await letters()).toBe(1)
    await settleAll()
    expect(await letters()).toBe(2)
  })

  test('without new photos ends without a letter', async () => {
    await upload([1], { totalIntendedPhotos: 1 })
    await settleAll()
    const text = await domain.stage(Buffer.from('no photo'), 'notes.jpg')
    await uploadBatch(domain, album, { totalIntendedPhotos: 1 }, [text])
    await finishUpload(domain, album)
    expect(await letters()).toBe(1)
  })

  test('without any usable photo does not complete the album', async () => {
    const text = await domain.stage(Buffer.from('no photo'), 'notes.jpg')
    const result = await uploadBatch(domain, album, { totalIntendedPhotos: 1 }, [text])
    expect(result.failure?.code).toBe('UNSUPPORTED_MEDIA_TYPE')
    await finishUpload(domain, album)
    expect(await progress()).toMatchObject({ isUploadingToS3: false, isCompleted: false })
    expect(await letters()).toBe(0)
  })
})

describe('settling a photo', () => {
  test('by giving it up completes the album, and gives the owner the reason', async () => {
    await upload([1, 2], { totalIntendedPhotos: 3 })
    const notes = await domain.stage(Buffer.from('no photo'), 'notes.jpg')
    await uploadBatch(domain, album, {}, [notes])
    await uploadBatch(domain, album, {}, [await domain.stage(Buffer.from('no photo'), 'notes.jpg')])
    const [first, second] = await photos()
    await settleGivenUp(domain, first!.id, { engine: 'embedded', reason: 'The engine gave up' })
    await domain.settle(second!, noFaces)
    await finishUpload(domain, album)
    expect(await progress()).toMatchObject({ totalPhotos: 2, isCompleted: true })
    expect(await skippedFiles(domain.db, album.id)).toMatchObject([
      { filename: 'notes.jpg', reason: expect.stringMatching(/^Only JPEG and PNG/) },
      { filename: 'sample1.jpg', reason: 'The engine gave up' },
    ])
  })
})

describe('a batch', () => {
  test('starts the indexing of each of its photos, once', async () => {
    await upload([1, 2])
    await upload([2, 3])
    const ids = (await photos()).map((photo) => photo.id)
    const jobs = (await domain.waiting('index-photos')) as { photoId: string }[]
    const ours = jobs.map((job) => job.photoId).filter((id) => ids.includes(id))
    expect(ours.sort()).toEqual(ids.sort())
  })

  test('that two requests send at once is stored once', async () => {
    const results = await Promise.all([upload([1, 2, 3]), upload([1, 2, 3]), upload([3, 2, 1])])
    expect(results.map((result) => result.successful)).toEqual([3, 3, 3])
    expect(await photos()).toHaveLength(3)
    expect(await progress()).toMatchObject({ photosUploadedToS3: 3 })
    const verdicts = results.flatMap((result) => result.files.map((file) => file.status))
    expect(verdicts.filter((status) => status === 'stored')).toHaveLength(3)
  })

  test('that is stored at the same time as the last other batch closes the round', async () => {
    await upload([1], { totalIntendedPhotos: 3 })
    await Promise.all([upload([2]), upload([3])])
    expect(await rounds()).toMatchObject([{ total: 3, photos_added: 3, closed_at: expect.any(Date) }])
    await settleAll()
    expect(await letters()).toBe(1)
  })

  test('that meets a storage fault records nothing, and works when it is sent again', async () => {
    const full = new AppError('SERVICE_UNAVAILABLE', 'The photo storage is full')
    const broken = { ...domain, storage: { ...domain.storage, move: () => Promise.reject(full) } }
    const staged = await domain.stage(samplePath(1))
    await expect(uploadBatch(broken, album, { totalIntendedPhotos: 1 }, [staged])).rejects.toBe(full)
    expect(await photos()).toEqual([])
    expect((await upload([1], { totalIntendedPhotos: 1 })).successful).toBe(1)
    expect(await rounds()).toHaveLength(1)
  })

  test('for an erased album is answered with "not found"', async () => {
    await domain.db.deleteFrom('albums').where('id', '=', album.id).execute()
    await expect(upload([1])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
