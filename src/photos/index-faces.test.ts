import {
  CreateCollectionCommand,
  ListCollectionsCommand,
  RekognitionClient,
} from '@aws-sdk/client-rekognition'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { eraseAlbum } from '../albums/erase.ts'
import { uploadBatch } from '../albums/upload.ts'
import type { Album } from '../database/schema.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { createRekognitionFaceIndex } from '../faces/rekognition/rekognition-face-index.ts'
import { samplePath } from '../faces/sample-photos.ts'
import { createLog } from '../log.ts'
import { DIRECT } from '../testing/rekognition/direct-governor.ts'
import { type StandIn, startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { faceOf } from '../testing/rekognition/table-faces.ts'
import { createRules, type Rules } from '../testing/rules.ts'
import { findFacesOfPhoto } from './index-faces.ts'

let rules: Rules
let service: StandIn
let client: RekognitionClient
let faces: FaceIndex
let album: Album
let photoId: string
/** What happens while the service looks at a picture. */
let meanwhile: () => Promise<unknown>

beforeAll(async () => {
  rules = await createRules()
})
afterAll(() => rules?.close())
beforeEach(async () => {
  meanwhile = async () => {}
  service = await startStandInRekognition({
    recognise: async () => {
      await meanwhile()
      return [faceOf(1)]
    },
  })
  const { endpoint, region, credentials } = service
  client = new RekognitionClient({ endpoint, region, credentials })
  faces = await createRekognitionFaceIndex({
    client: { endpoint, region, credentials },
    governor: DIRECT,
    log: createLog('silent'),
  })
  album = await rules.newAlbum()
  await uploadBatch(rules, album.id, { totalIntendedPhotos: 1 }, [await rules.stage(samplePath(1))])
  photoId = (
    await rules.db
      .selectFrom('photos')
      .select('id')
      .where('album_id', '=', album.id)
      .executeTakeFirstOrThrow()
  ).id
})
afterEach(async () => {
  client.destroy()
  await faces.close()
  await service.close()
})

const erase = () => eraseAlbum({ ...rules, faces }, album.id)
const nothingRemains = { rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 }
const index = (through = faces) => findFacesOfPhoto({ ...rules, faces: through }, photoId, false)

async function collections(): Promise<string[] | undefined> {
  return (await client.send(new ListCollectionsCommand({}))).CollectionIds
}

test('an album that stays has its photo in its collection', async () => {
  expect((await index())?.found.faces).toHaveLength(1)
  expect(await collections()).toEqual([expect.stringContaining(album.id)])
  expect(await faces.countFaces(album.id)).toBe(1)
  expect(await erase()).toEqual(nothingRemains)
  expect(await collections()).toEqual([])
})

test('an album erased before its collection is made gets none', async () => {
  const slow: FaceIndex = {
    ...faces,
    async createCollection(albumId) {
      expect(await erase()).toEqual(nothingRemains)
      await faces.createCollection(albumId)
    },
  }
  expect(await index(slow)).toBeUndefined()
  expect(await collections()).toEqual([])
  expect(service.count('IndexFaces')).toBe(0)
})

test('an album erased after its collection is made leaves nothing', async () => {
  const slow: FaceIndex = {
    ...faces,
    async createCollection(albumId) {
      await faces.createCollection(albumId)
      expect(await erase()).toEqual(nothingRemains)
    },
  }
  expect(await index(slow)).toBeUndefined()
  expect(await collections()).toEqual([])
})

test('an album erased while the service looks at its photo leaves nothing, and the job ends', async () => {
  await client.send(new CreateCollectionCommand({ CollectionId: `inframe-${album.id}` }))
  meanwhile = async () => expect(await erase()).toEqual(nothingRemains)
  expect(await index()).toBeUndefined()
  expect(await collections()).toEqual([])
})
