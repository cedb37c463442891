/** The tests that every face index must pass. An adapter's test file calls `describeFaceIndex`, and passes a function
 *  that starts the adapter. */
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BoundingBox, FaceIndex, FaceMatch } from '../faces/face-index.ts'
import { leftToRight, testPersons } from './person-conformance.ts'
import { cropFace, inMemory, plainWall, samplePhotos } from './sample-photos.ts'

export interface FaceIndexUnderTest {
  index: FaceIndex
  /** Creates an album that has no collection yet. */
  newAlbum(): Promise<string>
}

/** Rekognition's default threshold: two faces with this similarity or more count as one person. */
const SAME_PERSON = 80

export function describeFaceIndex(name: string, start: () => Promise<FaceIndexUnderTest>): void {
  describe(`${name} as a face index`, () => {
    const photos = samplePhotos()
    const party = photos[0]!
    const bar = photos[3]!
    let index: FaceIndex
    let newAlbum: () => Promise<string>

    beforeAll(async () => {
      const underTest = await start()
      index = underTest.index
      newAlbum = underTest.newAlbum
    }, 60_000)
    afterAll(() => index?.close())

    async function newCollection(): Promise<string> {
      const albumId = await newAlbum()
      await index.createCollection(albumId)
      return albumId
    }

    async function search(
      albumId: string,
      image: Buffer,
      threshold: number,
    ): Promise<FaceMatch[] | undefined> {
      const { found } = await index.search([albumId], { selfies: [{ image }] }, threshold)
      return found.get(albumId)?.sure
    }

    test('a photo indexed twice has each face once, under the same ids', async () => {
      const albumId = await newCollection()
      const photoId = randomUUID()
      const { faces: first } = await index.indexPhoto(albumId, photoId, inMemory(party))
      const { faces: second } = await index.indexPhoto(albumId, photoId, inMemory(party), { isRepeat: true })
      expect(first).toHaveLength(3)
      expect(second.map((face) => face.faceId).sort()).toEqual(first.map((face) => face.faceId).sort())
      expect(await index.countFaces(albumId)).toBe(3)
      const selfie = await cropFace(party, first[0]!.box, 2)
      expect(await search(albumId, selfie, 0)).toHaveLength(1)
    })

    test('indexing another picture under the same photo id replaces the faces', async () => {
      const albumId = await newCollection()
      const photoId = randomUUID()
      const { faces: former } = await index.indexPhoto(albumId, photoId, inMemory(party))
      const selfie = await cropFace(party, former[0]!.box, 2)
      expect(await search(albumId, selfie, SAME_PERSON)).toHaveLength(1)
      await index.indexPhoto(albumId, photoId, inMemory(bar), { isRepeat: true })
      expect(await index.countFaces(albumId)).toBe(4)
      expect(await search(albumId, selfie, SAME_PERSON)).toEqual([])
    })

    test('every face has a box within the picture, a confidence, and a quality of 0 to 100 with a pose in degrees', async () => {
      const { faces } = await index.indexPhoto(await newCollection(), randomUUID(), inMemory(bar))
      expect(faces).toHaveLength(4)
      for (const { box, confidence, quality } of faces) {
        expect(Math.min(box.left, box.top, box.width, box.height)).toBeGreaterThanOrEqual(0)
        expect(Math.max(box.left + box.width, box.top + box.height)).toBeLessThanOrEqual(1.000001)
        expect(confidence).toBeGreaterThan(30)
        expect(confidence).toBeLessThanOrEqual(100)
        for (const value of [quality.sharpness!, quality.brightness!]) {
          expect(value).toBeGreaterThan(1)
          expect(value).toBeLessThanOrEqual(100)
        }
        for (const angle of [quality.yaw!, quality.pitch!, quality.roll!]) {
          expect(angle).toBeTypeOf('number')
          expect(Math.abs(angle)).toBeLessThan(90)
        }
      }
    })

    test('matches come best first, one for each photo, and a threshold replaces the sure limit', async () => {
      const albumId = await newCollection()
      const [sharpId, poorId] = [randomUUID(), randomUUID()]
      const { faces } = await index.indexPhoto(albumId, sharpId, inMemory(bar))
      const poor = await sharp(bar).resize(500).blur(1).jpeg({ quality: 60 }).toBuffer()
      await index.indexPhoto(albumId, poorId, inMemory(poor))
      await index.indexPhoto(albumId, randomUUID(), inMemory(party))
      const selfie = await cropFace(bar, faces[0]!.box, 2)
      const both = (await search(albumId, selfie, SAME_PERSON))!
      expect(both.map(({ photoId }) => photoId)).toEqual([sharpId, poorId])
      const [best, second] = both.map(({ similarity }) => similarity) as [number, number]
      expect(best).toBeLessThanOrEqual(100)
      expect(best).toBeGreaterThan(second)
      expect(second).toBeGreaterThanOrEqual(SAME_PERSON)
      const { found } = await index.search([albumId], { selfies: [{ image: selfie }] }, (best + second) / 2)
      const stricter = found.get(albumId)!
      expect(stricter.sure.map(({ photoId }) => photoId)).toEqual([sharpId])
      expect(stricter.possible.map(({ photoId }) => photoId)).toEqual([poorId])
    })

    testPersons(() => ({ index, newCollection, party, bar }))

    test('a photo that is turned by its EXIF header has upright boxes', async () => {
      const albumId = await newCollection()
      const sideways = await sharp(party)
        .rotate(270)
        .withMetadata({ orientation: 6 })
        .jpeg({ quality: 95 })
        .toBuffer()
      const upright = leftToRight(await index.indexPhoto(albumId, randomUUID(), inMemory(party)))
      const turned = leftToRight(await index.indexPhoto(albumId, randomUUID(), inMemory(sideways)))
      expect(turned).toHaveLength(upright.length)
      for (const [place, face] of turned.entries())
        expect(overlap(face.box, upright[place]!.box)).toBeGreaterThan(0.8)
    })

    test('a photo without a face is indexed, and a selfie without one is refused', async () => {
      const albumId = await newCollection()
      const wall = await plainWall()
      expect(await index.indexPhoto(albumId, randomUUID(), inMemory(wall))).toEqual({
        faces: [],
        unindexed: [],
      })
      await expect(search(albumId, wall, SAME_PERSON)).rejects.toMatchObject({
        code: 'UNPROCESSABLE_CONTENT',
        message: expect.stringMatching(/no face/i),
      })
    })

    test('bytes that are not a picture are refused', async () => {
      const albumId = await newCollection()
      const text = Buffer.from('this is no picture')
      const refused = { code: 'UNPROCESSABLE_CONTENT' }
      await expect(index.indexPhoto(albumId, randomUUID(), inMemory(text))).rejects.toMatchObject(refused)
      await expect(search(albumId, text, SAME_PERSON)).rejects.toMatchObject(refused)
      expect(await index.countFaces(albumId)).toBe(0)
    })

    test('several albums are searched at once, each with its own matches', async () => {
      const [here, there, empty] = [await newCollection(), await newCollection(), await newCollection()]
      const [partyId, copyId] = [randomUUID(), randomUUID()]
      const [face] = leftToRight(await index.indexPhoto(here, partyId, inMemory(party)))
      await index.indexPhoto(there, randomUUID(), inMemory(bar))
      await index.indexPhoto(there, copyId, inMemory(party))
      const selfie = await cropFace(party, face!.box, 2)
      const person = { selfies: [{ image: selfie }] }
      const { found } = await index.search([here, there, empty], person, SAME_PERSON)
      expect([...found.keys()].sort()).toEqual([here, there, empty].sort())
      expect(found.get(here)!.sure).toMatchObject([{ faceId: face!.faceId, photoId: partyId }])
      expect(found.get(there)!.sure).toMatchObject([{ photoId: copyId }])
      expect(found.get(empty)).toEqual({ sure: [], possible: [] })
    })

    test('removed photos are no longer found', async () => {
      const albumId = await newCollection()
      const [gone, kept] = [randomUUID(), randomUUID()]
      const { faces } = await index.indexPhoto(albumId, gone, inMemory(party))
      await index.indexPhoto(albumId, kept, inMemory(bar))
      const selfie = await cropFace(party, faces[0]!.box, 2)
      expect(await search(albumId, selfie, SAME_PERSON)).toHaveLength(1)
      await index.removePhotos(albumId, [gone, randomUUID()])
      expect(await index.countFaces(albumId)).toBe(4)
      expect(await search(albumId, selfie, SAME_PERSON)).toEqual([])
      await index.removePhotos(albumId, [gone])
      await index.removePhotos(albumId, [])
    })

    test('removed faces are no longer found, and the others in the photo are', async () => {
      const albumId = await newCollection()
      const { faces } = await index.indexPhoto(albumId, randomUUID(), inMemory(party))
      const [gone, kept] = faces
      await index.removeFaces(albumId, [gone!.faceId, randomUUID()])
      expect(await index.countFaces(albumId)).toBe(2)
      expect(await search(albumId, await cropFace(party, gone!.box, 2), SAME_PERSON)).toEqual([])
      expect(await search(albumId, await cropFace(party, kept!.box, 2), SAME_PERSON)).toHaveLength(1)
      await index.removeFaces(albumId, [gone!.faceId])
      await index.removeFaces(albumId, [])
      await index.removeFaces(await newAlbum(), [kept!.faceId])
      expect(await index.countFaces(albumId)).toBe(2)
    })

    test('a collection may be created twice, and is empty when it is created again after its deletion', async () => {
      const albumId = await newCollection()
      await index.indexPhoto(albumId, randomUUID(), inMemory(party))
      await index.createCollection(albumId)
      expect(await index.countFaces(albumId)).toBe(3)
      expect(await search(albumId, party, 0)).toHaveLength(1)
      await index.deleteCollection(albumId)
      await index.deleteCollection(albumId)
      expect(await index.countFaces(albumId)).toBe(0)
      await index.createCollection(albumId)
      expect(await search(albumId, party, 0)).toEqual([])
    })
  })
}

/** Intersection over union. */
function overlap(one: BoundingBox, other: BoundingBox): number {
  const width = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left)
  const height = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top)
  const shared = Math.max(width, 0) * Math.max(height, 0)
  return shared / (one.width * one.height + other.width * other.height - shared)
}
