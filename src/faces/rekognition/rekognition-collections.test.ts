import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faceOf, numberedPicture } from '../../testing/rekognition/recogniser.ts'
import { startTableIndex, type TableIndex } from '../../testing/rekognition/table-index.ts'
import { inMemory } from '../../testing/sample-photos.ts'
import type { FaceIndex, FaceMatch } from '../face-index.ts'

let album: TableIndex
let albumId: string
let service: TableIndex['service']
let index: FaceIndex

beforeEach(async () => {
  album = await startTableIndex()
  ;({ albumId, service, index } = album)
})
afterEach(() => album.close())

async function search(image: Buffer, threshold: number): Promise<FaceMatch[]> {
  const { found } = await index.search([albumId], { selfies: [{ image }] }, threshold)
  return found.get(albumId)!.sure
}

test('an album without a collection takes no photo, and has no entry in the answer to a search', async () => {
  const picture = await album.pictureOf(faceOf(1))
  const without = randomUUID()
  await expect(index.indexPhoto(without, randomUUID(), inMemory(picture))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  expect(await index.search([without], { selfies: [{ image: picture }] })).toEqual({
    found: new Map(),
    selfies: [],
  })
  const { found } = await index.search([without, albumId], { selfies: [{ image: picture }] })
  expect([...found.keys()]).toEqual([albumId])
  expect(await index.countFaces(without)).toBe(0)
})

describe('a photo', () => {
  test('has the quality and the pose that the service gives each face, also when it is indexed again', async () => {
    const source = inMemory(await album.pictureOf(faceOf(1)))
    const photoId = randomUUID()
    const { quality } = faceOf(1)
    expect((await index.indexPhoto(albumId, photoId, source)).faces).toMatchObject([{ quality }])
    const again = await index.indexPhoto(albumId, photoId, source, { isRepeat: true })
    expect(again.faces).toMatchObject([{ quality }])
  })

  test('lists the faces that the service leaves out, with its reasons', async () => {
    const small = { ...faceOf(2, 0.02), unindexed: ['SMALL_BOUNDING_BOX'] }
    const { faces, unindexed } = await album.indexPhoto(await album.pictureOf(faceOf(1), small))
    expect(faces).toHaveLength(1)
    expect(unindexed).toEqual([
      {
        reasons: ['SMALL_BOUNDING_BOX'],
        box: expect.objectContaining({ left: 0.2, width: expect.closeTo(0.02) }),
      },
    ])
  })

  test('whose answer was lost is indexed again without a second copy of its faces', async () => {
    const photoId = randomUUID()
    const picture = await album.pictureOf(faceOf(1), faceOf(2))
    service.fault = (operation) => (operation === 'IndexFaces' ? 'break-after' : undefined)
    await expect(index.indexPhoto(albumId, photoId, inMemory(picture))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
    service.fault = () => undefined
    expect(await index.countFaces(albumId)).toBe(2)
    const { faces } = await index.indexPhoto(albumId, photoId, inMemory(picture), { isRepeat: true })
    expect(await index.countFaces(albumId)).toBe(2)
    expect(faces).toHaveLength(2)
    const [match] = await search(picture, 0)
    expect(faces.map((face) => face.faceId)).toContain(match!.faceId)
  })

  test('costs one call the first time', async () => {
    await album.indexPhoto(await album.pictureOf(faceOf(1)))
    expect(service.served.map((request) => request.operation)).toEqual(['CreateCollection', 'IndexFaces'])
  })
})

describe('the picture that is sent', () => {
  test('is the photo itself when it is upright', async () => {
    const picture = await album.pictureOf()
    await album.indexPhoto(picture)
    expect(album.seen).toEqual([picture])
  })

  test.each(['jpeg', 'png'] as const)('is turned upright: %s', async (format) => {
    const lying = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#a98' } })
      .withMetadata({ orientation: 6 })
      .toFormat(format)
      .toBuffer()
    await album.indexPhoto(lying)
    await album.indexPhoto(lying)
    const { width, height, orientation } = await sharp(album.seen[0]!).metadata()
    expect({ width, height, orientation }).toEqual({ width: 200, height: 300, orientation: undefined })
    // The same each time, so that the service recognises it.
    expect(album.seen[1]).toEqual(album.seen[0])
  })

  test('has at most 5 MB', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 120 } as const
    const large = await sharp({
      create: { width: 1500, height: 1500, channels: 3, background: '#888', noise },
    })
      .png()
      .toBuffer()
    const most = 5_242_880
    expect(large.length).toBeGreaterThan(most)
    await album.indexPhoto(large)
    expect(album.seen[0]!.length).toBeLessThanOrEqual(most)
  })

  test('is not sent when it is smaller than the service takes', async () => {
    const tiny = await numberedPicture(1, 79)
    await expect(album.indexPhoto(tiny)).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      message: expect.stringMatching(/too small.*79 × 79/),
    })
    expect(service.count('IndexFaces')).toBe(0)
  })
})

describe('removing', () => {
  test('photos of a large album lists all pages, and deletes a thousand faces at a time', async () => {
    const crowd = Array.from({ length: 100 }, (_, person) => faceOf(person))
    const photoIds: string[] = []
    for (let number = 0; number < 42; number++) {
      photoIds.push(randomUUID())
      await index.indexPhoto(albumId, photoIds.at(-1)!, inMemory(await album.pictureOf(...crowd)))
    }
    expect(await index.countFaces(albumId)).toBe(4200)
    await index.removePhotos(albumId, photoIds.slice(17))
    expect(await index.countFaces(albumId)).toBe(1700)
    expect(service.count('ListFaces')).toBe(2)
    expect(service.count('DeleteFaces')).toBe(3)
  })

  test('a face that the service keeps is a fault', async () => {
    service.keptBecause = 'ASSOCIATED_TO_AN_EXISTING_USER'
    const photoId = randomUUID()
    await index.indexPhoto(albumId, photoId, inMemory(await album.pictureOf(faceOf(1))))
    await expect(index.removePhotos(albumId, [photoId])).rejects.toThrow(/kept 1 face.*EXISTING_USER/)
  })
})
