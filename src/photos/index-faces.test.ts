import {
  CreateCollectionCommand,
  ListCollectionsCommand,
  RekognitionClient,
} from '@aws-sdk/client-rekognition'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eraseAlbum } from '../albums/erase.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import type { Album } from '../database/schema.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { domainOfFile } from '../testing/domain.ts'
import { indexOn } from '../testing/rekognition/index-on.ts'
import { faceOf } from '../testing/rekognition/recogniser.ts'
import { type StandIn, startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { uploadBatch } from '../uploads/accept-batch.ts'
import type { FoundFaces } from './index-faces.ts'
import { findFacesOfPhoto } from './index-faces.ts'

const domain = await domainOfFile()
let service: StandIn
let client: RekognitionClient
let faces: FaceIndex
let album: Album
let photoId: string
/** The photos in a bucket that the service can read. */
let storage: FileStorage
/** What happens while the service analyses a picture, and before it fetches one. */
let meanwhile: () => Promise<unknown>
let beforehand: () => Promise<unknown>

beforeEach(async () => {
  meanwhile = async () => {}
  beforehand = async () => {}
  storage = { ...domain.storage, bucket: 'the-photos' }
  service = await startStandInRekognition({
    recognise: async () => {
      await meanwhile()
      return [faceOf(1)]
    },
    async fetchObject(bucket, key) {
      await beforehand()
      return bucket === storage.bucket && (await storage.exists(key)) ? await storage.read(key) : undefined
    },
  })
  const { endpoint, region, credentials } = service
  client = new RekognitionClient({ endpoint, region, credentials })
  faces = await indexOn(service)
  album = await domain.newAlbum()
  photoId = await upload(samplePath(1))
})
afterEach(async () => {
  client.destroy()
  await faces.close()
  await service.close()
})

async function upload(source: string | Buffer): Promise<string> {
  const file = await domain.stage(source)
  await uploadBatch(domain, album, {}, [file])
  const photo = domain.db.selectFrom('photos').select('id').where('album_id', '=', album.id)
  return (await photo.where('sha256', '=', file.sha256).executeTakeFirstOrThrow()).id
}

const erase = () => eraseAlbum({ ...domain, faces }, album, COMMAND_LINE)
const nothingRemains = { rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 }
const index = async (through = faces) =>
  (await findFacesOfPhoto({ ...domain, faces: through }, photoId, { isRepeat: false })) as
    | FoundFaces
    | undefined

async function collections(): Promise<string[] | undefined> {
  return (await client.send(new ListCollectionsCommand({}))).CollectionIds
}

test('an album that is not erased has its photo in its collection', async () => {
  expect((await index())?.found.faces).toHaveLength(1)
  expect(await collections()).toEqual([expect.stringContaining(album.id)])
  expect(await faces.countFaces(album.id)).toBe(1)
  expect(await erase()).toEqual(nothingRemains)
  expect(await collections()).toEqual([])
})

test.each([
  ['before', 0],
  ['after', 1],
])('an album erased %s its collection is created leaves nothing', async (_when, created) => {
  const slow: FaceIndex = {
    ...faces,
    async createCollection(albumId) {
      if (created) await faces.createCollection(albumId)
      expect(await erase()).toEqual(nothingRemains)
      if (!created) await faces.createCollection(albumId)
    },
  }
  expect(await index(slow)).toBeUndefined()
  expect(await collections()).toEqual([])
  expect(service.count('IndexFaces')).toBe(0)
})

test('an album erased while the service analyses its photo leaves nothing, and the job ends', async () => {
  await client.send(new CreateCollectionCommand({ CollectionId: `inframe-${album.id}` }))
  meanwhile = async () => expect(await erase()).toEqual(nothingRemains)
  expect(await index()).toBeUndefined()
  expect(await collections()).toEqual([])
})

describe('photos in a bucket of Amazon S3', () => {
  const indexFromBucket = (id = photoId) =>
    findFacesOfPhoto({ ...domain, storage, faces }, id, { isRepeat: false })
  const sent = () => service.served.findLast(({ operation }) => operation === 'IndexFaces')!
  const SMALL = 1_000

  test('are sent when their form is unknown', async () => {
    await domain.db
      .updateTable('photos')
      .set({ is_taken_as_stored: false })
      .where('id', '=', photoId)
      .execute()
    await indexFromBucket()
    expect(sent().bytes).toBeGreaterThan(100 * SMALL)
  })

  test('and erased before the service has fetched one leave nothing', async () => {
    await client.send(new CreateCollectionCommand({ CollectionId: `inframe-${album.id}` }))
    beforehand = async () => expect(await erase()).toEqual(nothingRemains)
    await expect(indexFromBucket()).rejects.toThrow('The file of this photo is missing')
    expect(service.count('CreateCollection')).toBe(1)
    expect(await indexFromBucket()).toBeUndefined()
    expect(await collections()).toEqual([])
  })
})

test('a photo whose file is missing creates no collection', async () => {
  await domain.storage.deleteFolder(`albums/${album.id}/`)
  await expect(index()).rejects.toThrow('The file of this photo is missing')
  expect(await collections()).toEqual([])
})
