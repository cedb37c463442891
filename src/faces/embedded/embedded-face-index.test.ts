import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../log.ts'
import { domainOfFile } from '../../testing/domain.ts'
import { recording, recordPhotos } from '../../testing/recorded-faces.ts'
import { inMemory, samplePhotos } from '../../testing/sample-photos.ts'
import type { AlbumSearch } from './album-search.ts'
import { bytesOf, DESCRIPTOR_LENGTH } from './descriptors.ts'
import { createEmbeddedFaceIndex } from './embedded-face-index.ts'
import { personAsBytes } from './matching/unwanted-people.ts'
import { createFaceWorkers, type FaceWorkers } from './networks/face-workers.ts'

const photo = samplePhotos()[0]!

const workers = createFaceWorkers({ log: createLog('silent'), size: 1 })
/** Nobody searches. */
const albums = { prepare: () => {}, close: async () => {} } as Partial<AlbumSearch> as AlbumSearch

const domain = await domainOfFile()
let albumId: string
const engine = createEmbeddedFaceIndex({ db: domain.db, albums, workers })
const index = recording(engine, domain)
afterAll(() => workers.close())
beforeEach(async () => {
  albumId = (await domain.newAlbum()).id
})

const alongOneAxis = (distance: number) =>
  Float32Array.from({ length: DESCRIPTOR_LENGTH }, (_, i) => (i === 0 ? distance : 0))
const ada = alongOneAxis(0)
const awayFromAda = alongOneAxis(0.5)
const somebodyElse = alongOneAxis(0.9)

/** A face engine that finds the faces with these descriptors in each photo. */
function workersThatFind(descriptors: Float32Array[]): FaceWorkers {
  const quality = { sharpness: 90, brightness: 60, yaw: 0, pitch: 0, roll: 0 }
  const face = { box: { left: 0, top: 0, width: 0.5, height: 0.5 }, confidence: 99, quality }
  return {
    ...workers,
    describePhoto: async () => ({
      faces: descriptors.map((descriptor) => ({ ...face, descriptor })),
      unindexed: [],
    }),
  }
}

test('makes the preview of a JPEG on the way, where one is wanted', async () => {
  const png = await sharp(photo).resize(600).png().toBuffer()
  const previews: Buffer[] = []
  const keepPreview = async (preview: Buffer) => void previews.push(preview)
  for (const image of [photo, png]) {
    const source = { ...inMemory(image), keepPreview }
    expect((await index.indexPhoto(albumId, randomUUID(), source)).faces).toHaveLength(3)
  }
  await index.indexPhoto(albumId, randomUUID(), inMemory(photo))
  expect(previews).toHaveLength(1)
  expect(await sharp(previews[0]).metadata()).toMatchObject({ format: 'jpeg', width: 1920, height: 1280 })
})

test('faces that are too small to be recognised are counted, and not indexed', async () => {
  // Its five faces have 17 to 23 pixels. The detector may miss one of them.
  const far = await sharp(samplePhotos()[4]!)
    .resize(160, 116)
    .extend({ right: 400, background: '#9bc' })
    .png()
    .toBuffer()
  const { faces, unindexed } = await index.indexPhoto(albumId, randomUUID(), inMemory(far))
  expect(faces).toEqual([])
  expect(unindexed.length).toBeGreaterThanOrEqual(4)
  for (const { reasons, box } of unindexed) {
    expect(reasons).toEqual(['SMALL_BOUNDING_BOX'])
    expect(Math.max(box.width * 560, box.height * 116)).toBeLessThan(24)
  }
  expect(await index.countFaces(albumId)).toBe(0)
})

test('leaves out the faces of a person who asked for that, and says where they are', async () => {
  const { faces } = await index.indexPhoto(albumId, randomUUID(), inMemory(photo))
  const person = (await index.describePerson(albumId, [faces[0]!.faceId]))!
  const photoId = randomUUID()
  const mirrored = await sharp(photo).flop().jpeg().toBuffer()
  const all = await engine.indexPhoto(albumId, photoId, inMemory(mirrored))
  const some = await engine.indexPhoto(albumId, photoId, inMemory(mirrored), {
    isRepeat: true,
    without: [person],
  })
  const { left, width } = faces[0]!.box
  expect(some.leftOut).toHaveLength(1)
  expect(some.leftOut![0]!.person).toBe(0)
  expect(some.leftOut![0]!.box.left).toBeCloseTo(1 - left - width, 1)
  expect(some.faces).toHaveLength(2)
  // The others keep their ids.
  expect(all.faces.map(({ faceId }) => faceId)).toEqual(
    expect.arrayContaining(some.faces.map(({ faceId }) => faceId)),
  )
  expect(await index.describePerson(albumId, [randomUUID()])).toBeUndefined()
})

test.each([
  { faces: 100, indexed: 0 },
  { faces: 1_000_000, indexed: 1 },
])(
  'leaves out a face at a distance of 0.5 as the limits of an album of $faces faces say',
  async ({ faces, indexed }) => {
    await domain.db.updateTable('albums').set({ faces_found: faces }).where('id', '=', albumId).execute()
    const indexing = createEmbeddedFaceIndex({
      db: domain.db,
      albums,
      workers: workersThatFind([awayFromAda]),
    })
    const without = [personAsBytes([ada])]
    const found = await indexing.indexPhoto(albumId, randomUUID(), inMemory(photo), { without })
    expect(found.faces.map(({ descriptor }) => descriptor)).toEqual(Array(indexed).fill(bytesOf(awayFromAda)))
  },
)

test('the strangers of an album are measured while its photos are indexed', async () => {
  await recordPhotos(domain.db, albumId, [[ada, somebodyElse]])
  const indexing = createEmbeddedFaceIndex({ db: domain.db, albums, workers: workersThatFind([ada]) })
  await indexing.indexPhoto(albumId, randomUUID(), inMemory(photo))
  const measured = domain.db.selectFrom('non_mate_distances').selectAll().where('album_id', '=', albumId)
  expect(await measured.executeTakeFirst()).toMatchObject({ faces: 2, pairs: 1 })
})

test('the albums begin to load before the selfie is described', async () => {
  const events: unknown[] = []
  const searched = createEmbeddedFaceIndex({
    db: domain.db,
    albums: { ...albums, prepare: (albumIds) => void events.push(albumIds) },
    workers: {
      ...workers,
      async describeSelfie() {
        events.push('described')
        return { faces: [], searched: 0, described: undefined, unindexed: [] }
      },
    },
  })
  await expect(searched.search([albumId], { selfies: [{ image: photo }] })).rejects.toThrow('No face')
  expect(events).toEqual([[albumId], 'described'])
})
