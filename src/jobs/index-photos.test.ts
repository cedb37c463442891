import { beforeEach, describe, expect, test } from 'vitest'
import type { Album, Photo } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { FaceIndex, IndexedPhoto } from '../faces/face-index.ts'
import { domainOfFile } from '../testing/domain.ts'
import { faceIndexWith, indexedFace } from '../testing/engine-answers.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { uploadBatch } from '../uploads/accept-batch.ts'
import { indexPhotos } from './index-photos.ts'

const domain = await domainOfFile()
let album: Album
let found: IndexedPhoto

beforeEach(async () => {
  found = { faces: [indexedFace()], unindexed: [] }
  album = await domain.newAlbum()
  const staged = await domain.stage(samplePath(1))
  await uploadBatch(domain, album, { totalIntendedPhotos: 1 }, [staged])
})

const storedPhoto = (): Promise<Photo> =>
  domain.db.selectFrom('photos').selectAll().where('album_id', '=', album.id).executeTakeFirstOrThrow()

/** A face index that answers each call with the next of these, and the last one from then on. */
function engineThat(...answers: (IndexedPhoto | Error)[]): { faces: FaceIndex; calls: string[] } {
  const calls: string[] = []
  const faces = faceIndexWith({
    createCollection: async () => void calls.push('createCollection'),
    indexPhoto: async (_albumId, _photoId, photo) => {
      calls.push('indexPhoto')
      await photo.read()
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  return { faces, calls }
}

function run(faces: FaceIndex, photoId: string, attempt: number): Promise<void> {
  const deps = { ...domain, faces }
  return indexPhotos.run(deps, { photoId }, { attempt })
}

describe('the job that indexes a photo', () => {
  test('stores each face with its place and its quality', async () => {
    const unmeasured = { sharpness: null, brightness: null, yaw: null, pitch: null, roll: null }
    const [whole, bare] = [indexedFace(), { ...indexedFace(), quality: unmeasured }]
    await run(engineThat({ faces: [whole, bare], unindexed: [] }).faces, (await storedPhoto()).id, 1)
    const row = { box_left: 0.1, box_top: 0.2, box_width: 0.3, box_height: 0.4, confidence: 99 }
    const stored = await domain.db.selectFrom('faces').selectAll().where('album_id', '=', album.id).execute()
    expect(stored.find(({ id }) => id === whole.faceId)).toMatchObject({ ...row, ...whole.quality })
    expect(stored.find(({ id }) => id === bare.faceId)).toMatchObject({ ...row, ...unmeasured })
  })

  test('leaves a settled photo alone when it runs again', async () => {
    const { faces, calls } = engineThat(found)
    const { id } = await storedPhoto()
    await run(faces, id, 1)
    await run(faces, id, 2)
    expect(calls).toEqual(['indexPhoto'])
  })

  test('tries again as long as the engine is unavailable', async () => {
    const unavailable = new AppError('SERVICE_UNAVAILABLE', 'The face engine is currently unavailable')
    const { id } = await storedPhoto()
    await expect(run(engineThat(unavailable).faces, id, 1)).rejects.toBe(unavailable)
    await expect(run(engineThat(unavailable).faces, id, 500)).rejects.toBe(unavailable)
    expect(await storedPhoto()).toMatchObject({ state: 'stored' })
    await run(engineThat(found).faces, id, 501)
    expect(await storedPhoto()).toMatchObject({ state: 'indexed' })
  })

  test('gives up a photo at once when it can never be read', async () => {
    const unreadable = new AppError('UNPROCESSABLE_CONTENT', 'The picture cannot be read')
    await run(engineThat(unreadable).faces, (await storedPhoto()).id, 1)
    expect(await storedPhoto()).toMatchObject({
      state: 'given_up',
      given_up_reason: 'The picture cannot be read',
    })
    const row = await domain.db
      .selectFrom('albums')
      .select('completed_at')
      .where('id', '=', album.id)
      .executeTakeFirstOrThrow()
    expect(row.completed_at).not.toBeNull()
  })

  test('gives up a photo when the engine has crashed five times while it worked on it', async () => {
    const crash = new AppError('INTERNAL_SERVER_ERROR', 'The face engine crashed')
    const { id } = await storedPhoto()
    for (let attempt = 1; attempt < 5; attempt++)
      await expect(run(engineThat(crash).faces, id, attempt)).rejects.toBe(crash)
    expect(await storedPhoto()).toMatchObject({ state: 'stored' })
    await run(engineThat(crash).faces, id, 5)
    expect(await storedPhoto()).toMatchObject({
      state: 'given_up',
      given_up_reason: 'The photo could not be searched for faces',
    })
  })
})
