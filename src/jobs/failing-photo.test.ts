import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Album } from '../database/schema.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { skippedFiles } from '../photos/coverage-queries.ts'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { indexOn } from '../testing/rekognition/index-on.ts'
import { ServiceError } from '../testing/rekognition/service-error.ts'
import { type StandIn, startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { faceOf, numberedPicture } from '../testing/rekognition/table-faces.ts'
import { uploadBatch } from '../uploads/accept-batch.ts'
import { indexPhotos } from './index-photos.ts'

let domain: TestDomain
let service: StandIn
let faces: FaceIndex
let album: Album
let good: string
let deadly: string

beforeAll(async () => {
  domain = await createTestDomain()
})
afterAll(() => domain?.close())
beforeEach(async () => {
  const [party, crash] = [await numberedPicture(1), await numberedPicture(2)]
  service = await startStandInRekognition({
    async recognise(image) {
      if (image.equals(crash)) throw new ServiceError('InternalServerError', 'A service issue')
      return image.equals(party) ? [faceOf(1)] : []
    },
  })
  faces = await indexOn(service)
  album = await domain.newAlbum()
  const files = [await domain.stage(party, 'party.jpg'), await domain.stage(crash, 'crash.jpg')]
  await uploadBatch(domain, album, { totalIntendedPhotos: 2 }, files)
  ;[deadly, good] = (await photos()).map((photo) => photo.id) as [string, string]
})
afterEach(async () => {
  await faces.close()
  await service.close()
})

const photos = () =>
  domain.db.selectFrom('photos').selectAll().where('album_id', '=', album.id).orderBy('filename').execute()

const letters = async () =>
  (await domain.db.selectFrom('letters').select('id').where('album_id', '=', album.id).execute()).length

const deps = () => ({ ...domain, faces })
const index = (photoId: string, attempt: number) => indexPhotos.run(deps(), { photoId }, { attempt })

test('an album completes although the service always fails on one photo, and the owner learns which one', async () => {
  await index(good, 1)
  for (let attempt = 1; attempt < 5; attempt++)
    await expect(index(deadly, attempt)).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR' })
  expect(await letters()).toBe(0)
  await index(deadly, 5)
  expect(await photos()).toMatchObject([
    { filename: 'crash.jpg', state: 'given_up', engine: 'rekognition' },
    { filename: 'party.jpg', state: 'indexed', face_count: 1 },
  ])
  expect(await faces.countFaces(album.id)).toBe(1)
  expect(await letters()).toBe(1)
  expect(await skippedFiles(domain.db, album.id)).toMatchObject([
    { filename: 'crash.jpg', reason: 'The photo could not be searched for faces' },
  ])
})

test('no photo is given up while the service fails on all of them, however often', async () => {
  service.fault = (operation) => (operation === 'IndexFaces' ? 'InternalServerError' : undefined)
  for (const photoId of [good, deadly])
    for (const attempt of [1, 5, 500])
      await expect(index(photoId, attempt)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(await photos()).toMatchObject([{ state: 'stored' }, { state: 'stored' }])
  expect(await letters()).toBe(0)
})
