import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FaceIndex, PersonQuery, PersonSearch } from '../faces/face-index.ts'
import { facesFound } from '../search/found-faces.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, type TestClient } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'

let service: TestApp
let owner: TestClient
let albumId: string
let albumName: string
let photos: string[]
let pictures: Buffer[]
/** What the engine was asked, and what it answers. */
let asked: PersonQuery | undefined
let answer: PersonSearch

const engine = {
  engine: 'embedded',
  async search(_albumIds, person) {
    asked = person
    return answer
  },
  prepare: () => {},
  check: async () => {},
  close: async () => {},
} as Partial<FaceIndex> as FaceIndex

beforeAll(async () => {
  service = await startTestApp({ work: false, faces: engine })
  owner = createClient(service.url)
  const { albumName: name } = await owner.createAlbum()
  albumName = name
  albumId = (await owner.get(`/api/albums/by-name/${name}`)).body.album.id
  photos = await insertIndexedPhotos(service.database.db, albumId, 3)
  // Colours that are nearly equal could become the same in a JPEG.
  pictures = await Promise.all([80, 90, 100].map(brownSquare))
})
afterAll(() => service?.close())

/** @param side in pixels */
function brownSquare(side: number): Promise<Buffer> {
  return sharp({ create: { width: side, height: side, channels: 3, background: '#a86' } })
    .png()
    .toBuffer()
}

beforeEach(() => {
  asked = undefined
  answer = { found: new Map(), selfies: [] }
})

function search(sent: Buffer[], fields: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ albumName, ...fields })) form.append(name, value)
  for (const picture of sent) form.append('photo', new Blob([new Uint8Array(picture)]), 'selfie.jpg')
  return owner.postForm('/api/search-in-album', form)
}

/** A face of a photo, with its row in the database. */
async function faceIn(photoId: string): Promise<{ faceId: string; photoId: string }> {
  const faceId = randomUUID()
  const box = { box_left: 0.25, box_top: 0.125, box_width: 0.5, box_height: 0.375 }
  await service.database.db
    .insertInto('faces')
    .values({ id: faceId, album_id: albumId, photo_id: photoId, confidence: 99, ...box })
    .execute()
  return { faceId, photoId }
}
const BOX = { left: 0.25, top: 0.125, width: 0.5, height: 0.375 }

describe('a search', () => {
  test('takes up to three pictures, the face of each, and the faces that a visitor has answered about', async () => {
    const [yes, also, no] = [randomUUID(), randomUUID(), randomUUID()]
    const { status } = await search(pictures, { faces: '0,2', confirmed: `${yes},${also}`, rejected: no })
    expect(status).toBe(200)
    expect(asked).toEqual({
      selfies: [
        { image: expect.any(Buffer), face: 0 },
        { image: expect.any(Buffer), face: 2 },
        { image: expect.any(Buffer), face: undefined },
      ],
      confirmed: [yes, also],
      rejected: [no],
    })
    expect(new Set(asked?.selfies.map(({ image }) => image.toString('base64'))).size).toBe(3)
    expectError(await search([...pictures, pictures[0]!]), 400, /^Please send at most 3 photos of a person$/)
  })

  test('hands over the faces that it has surely found, and none that the visitor has only confirmed', async () => {
    const [own, stranger] = [await faceIn(photos[0]!), await faceIn(photos[1]!)]
    const sure = [own, stranger].map((face) => ({ ...face, similarity: 95 }))
    answer = { found: new Map([[albumId, { sure, possible: [] }]]), selfies: [] }
    const { body } = await search([pictures[0]!], { confirmed: stranger.faceId })
    expect(body.takeOut).toEqual({ faces: expect.any(String), count: 1, canKeepOut: true })
    const { keyring } = service.context.services
    const searched = { id: albumId, password_version: 1 }
    expect(facesFound(keyring, searched, body.takeOut.faces)).toEqual([own.faceId])
  })

  test('takes a hundred answers', async () => {
    const many = Array.from({ length: 100 }, randomUUID)
    expect((await search([pictures[0]!], { confirmed: many.join(), rejected: '' })).status).toBe(200)
    expect(asked).toMatchObject({ confirmed: many, rejected: [] })
  })

  test.each([
    ['faces', '0,1,2,0'],
    ['faces', '-1'],
    ['faces', '0;1'],
    ['faces', '1000'],
    ['confirmed', 'a face'],
    ['confirmed', `${randomUUID()} ${randomUUID()}`],
    ['rejected', Array.from({ length: 101 }, randomUUID).join()],
  ])('refuses %s = %s', async (name, value) => {
    expectError(
      await search([pictures[0]!], { [name]: value }),
      400,
      new RegExp(`^${name} must be a list of at most`),
    )
    expect(asked).toBeUndefined()
  })

  test('gives the sure photos as always and the possible ones apart, each with the face in question', async () => {
    const [sure, possible, alsoPossible] = await Promise.all(photos.map(faceIn))
    answer.found.set(albumId, {
      sure: [{ ...sure!, similarity: 97 }],
      possible: [
        { ...possible!, similarity: 45 },
        { ...alsoPossible!, similarity: 30 },
      ],
    })
    const seen = {
      faces: [{ box: BOX }],
      searched: 0,
      problems: ['TOO_DARK' as const],
      isSomebodyElse: false,
    }
    answer.selfies = [seen]
    const { body } = await search([pictures[0]!])
    expect(body).toMatchObject({
      photos: [{ filename: '1.jpg', similarity: 97, face: { id: sure!.faceId, box: BOX } }],
      possible: [
        { filename: '2.jpg', similarity: 45, face: { id: possible!.faceId, box: BOX } },
        { filename: '3.jpg', similarity: 30, face: { id: alsoPossible!.faceId, box: BOX } },
      ],
      selfies: [seen],
    })
    expect(body.matchedPhotos).toEqual([body.photos[0].url])
    expect(body.totalMatches).toBe(1)
  })

  test('gives a photo whose face has no place, and asks about none of those', async () => {
    const lost = { faceId: randomUUID(), similarity: 90 }
    answer.found.set(albumId, {
      sure: [{ ...lost, photoId: photos[0]! }],
      possible: [{ ...lost, photoId: photos[1]! }],
    })
    const { body } = await search([pictures[0]!])
    expect(body.photos.map((photo: object) => 'face' in photo)).toEqual([false])
    expect(body.possible).toEqual([])
  })
})
