import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eraseAlbum } from '../albums/erase.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import type { Album } from '../database/schema.ts'
import { createEmbeddedFaceIndex } from '../faces/embedded/embedded-face-index.ts'
import type { FaceWorkers } from '../faces/embedded/networks/face-workers.ts'
import { createSearchThread } from '../faces/embedded/search-thread.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { domainOfFile } from '../testing/domain-album.ts'
import { indexedFace } from '../testing/indexed-face.ts'
import { type RecordedPhoto, recordPhotos } from '../testing/recorded-faces.ts'
import { syntheticPeople } from '../testing/synthetic-people.ts'
import { deleteFromAlbum } from '../uploads/delete-photos.ts'
import { photosLike } from './find-person.ts'

const people = syntheticPeople(3)
const ada = people.person()

const domain = await domainOfFile()
/** Two processes over one database. */
let one: FaceIndex
let other: FaceIndex
let album: Album
let gone: RecordedPhoto
let kept: RecordedPhoto

beforeAll(async () => {
  one = start()
  other = start()
})
afterAll(async () => {
  await one?.close()
  await other?.close()
})
beforeEach(async () => {
  album = await domain.newAlbum()
  const photos = [[people.pictureOf(ada)], [people.pictureOf(ada)]]
  ;[gone, kept] = (await recordPhotos(domain.db, album.id, photos)) as [RecordedPhoto, RecordedPhoto]
  expect(await search(other)).toEqual([gone.photoId, kept.photoId].sort())
})

/** A process whose selfies all show Ada. */
function start(): FaceIndex {
  const { box, ...face } = indexedFace()
  const workers = {
    describeSelfie: async () => ({
      ...{ faces: [{ box, side: 400 }], searched: 0, unindexed: [] },
      described: { ...face, box, descriptor: people.pictureOf(ada) },
    }),
    close: async () => {},
  } as Partial<FaceWorkers> as FaceWorkers
  const albums = createSearchThread({ address: domain.address, log: domain.log })
  return createEmbeddedFaceIndex({ db: domain.db, albums, workers })
}

async function search(faces: FaceIndex): Promise<string[]> {
  const selfies = [{ image: Buffer.from('a selfie') }]
  const { sure, possible } = await photosLike({ ...domain, faces }, [album.id], { selfies })
  return [...sure, ...possible].map(({ photoId }) => photoId).sort()
}

test('a photo that was deleted in one process is in no answer of another one', async () => {
  await deleteFromAlbum(domain, album, [gone.photoId], COMMAND_LINE)
  expect(await search(other)).toEqual([kept.photoId])
})

test('faces that were removed in one process are in no answer of another one', async () => {
  await one.removeFaces(album.id, gone.faceIds)
  expect(await search(other)).toEqual([kept.photoId])
})

test('an album that was erased in one process is in no answer of another one', async () => {
  await eraseAlbum({ ...domain, faces: one }, album, COMMAND_LINE)
  expect(await search(other)).toEqual([])
})
