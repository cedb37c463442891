import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PersonQuery, PersonSearch } from '../faces/face-index.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient, type FormFields } from '../testing/client.ts'
import { faceIndexWith } from '../testing/engine-answers.ts'
import { expectError } from '../testing/expect-error.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'

/** What the engine was asked, and what it answers. */
let asked: PersonQuery | undefined
let answer: PersonSearch
beforeEach(() => {
  asked = undefined
  answer = { found: new Map(), selfies: [] }
})
/** The files of the service when the engine was asked. */
let filesDuringSearch: string[]

const engine = faceIndexWith({
  async search(_albumIds, person) {
    asked = person
    filesDuringSearch = await files()
    return answer
  },
})

const service = await appOfFile({ work: false, faces: engine })
const owner = createClient(service.url)
const { albumName } = await owner.createAlbum()
const albumId: string = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album.id
const photos = await insertIndexedPhotos(service.database.db, albumId, 3)
/** Colours that are nearly equal could become the same in a JPEG. */
const pictures = await Promise.all(
  [80, 90, 100].map((side) => {
    const create = { width: side, height: side, channels: 3, background: '#a86' } as const
    return sharp({ create }).png().toBuffer()
  }),
)

const files = async () => (await readdir(service.dataDir, { recursive: true })).toSorted()
const search = (photo: Buffer[], fields: FormFields = {}) => owner.search(albumName, { ...fields, photo })

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
/** A search that asks about faces.
 *  @returns its token */
async function askedAbout(faces: { faceId: string; photoId: string }[]): Promise<string> {
  const possible = faces.map((face, index) => ({ ...face, similarity: 45 - index }))
  answer = { found: new Map([[albumId, { sure: [], possible }]]), selfies: [], evidence: Buffer.of(1) }
  const { body } = await search([pictures[0]!])
  expect(body.possible.map(({ face }: { face: { id: string } }) => face.id)).toEqual(
    faces.map(({ faceId }) => faceId),
  )
  asked = undefined
  answer = { found: new Map(), selfies: [] }
  return body.searchToken
}

const BOX = { left: 0.25, top: 0.125, width: 0.5, height: 0.375 }

describe('a search', () => {
  test('writes no picture to the disk', async () => {
    const before = await files()
    expect((await search(pictures)).status).toBe(200)
    expect([filesDuringSearch, await files()]).toEqual([before, before])
  })

  test('takes up to three pictures, the face of each, and the faces that a visitor has answered about', async () => {
    const inQuestion = await Promise.all(photos.map(faceIn))
    const [yes, also, no] = inQuestion.map(({ faceId }) => faceId)
    const answers = { confirmed: `${yes},${also}`, rejected: no! }
    const { status } = await search(pictures.slice(0, 2), {
      faces: '0,2',
      searchToken: await askedAbout(inQuestion),
      ...answers,
    })
    expect(status).toBe(200)
    expect(asked).toEqual({
      selfies: [
        { image: expect.any(Buffer), face: 0 },
        { image: expect.any(Buffer), face: 2 },
      ],
      evidence: Buffer.of(1),
      isLater: false,
      amongChildren: false,
      confirmed: [yes, also],
      rejected: [no],
    })
    await search(pictures)
    expect(new Set(asked?.selfies.map(({ image }) => image.toString('base64'))).size).toBe(3)
    expectError(await search([...pictures, pictures[0]!]), 400, /^Please send at most 3 photos of a person$/)
  })

  test('lets a guest opt out with the faces that it has surely found, and none that the guest has only confirmed', async () => {
    const [own, stranger] = [await faceIn(photos[0]!), await faceIn(photos[1]!)]
    const searchToken = await askedAbout([stranger])
    const sure = [own, stranger].map((face) => ({ ...face, similarity: 95 }))
    answer = { found: new Map([[albumId, { sure, possible: [] }]]), selfies: [], evidence: Buffer.of(1) }
    const { body } = await search([], { searchToken, confirmed: stranger.faceId })
    expect(body.optOut).toEqual({ count: 1, canKeepOut: true })
    const taken = await owner.post(`/api/albums/${albumName}/opt-out`, { searchToken: body.searchToken })
    expect(taken.body).toMatchObject({ faces: 1 })
    const hidden = service.database.db.selectFrom('faces').select('id').where('opt_out_id', 'is not', null)
    expect(await hidden.execute()).toEqual([{ id: own.faceId }])
    await service.database.db.updateTable('faces').set({ opt_out_id: null }).execute()
  })

  test('by a picture of the album does not show who is asking, so nobody can opt out with it', async () => {
    const sure = [{ ...(await faceIn(photos[0]!)), similarity: 95 }]
    const isFromAlbum = true as const
    const found = new Map([[albumId, { sure, possible: [], isFromAlbum }]])
    answer = { found, selfies: [], evidence: Buffer.of(1) }
    const { body } = await search([pictures[0]!])
    expect(body.totalMatches).toBe(1)
    expect(body.optOut).toBeUndefined()
    expect(body.optOutNeedsNewSelfie).toBe(true)
    const { searchToken } = body
    expectError(
      await owner.post(`/api/albums/${albumName}/opt-out`, { searchToken }),
      422,
      /a selfie that you take now/,
    )
  })

  test('lets nobody confirm a face that the searches before it have not asked about', async () => {
    const [face, other] = [await faceIn(photos[0]!), await faceIn(photos[1]!)]
    const searchToken = await askedAbout([face])
    for (const fields of [
      { confirmed: face.faceId } as Record<string, string>,
      { searchToken, confirmed: other.faceId },
      { searchToken, confirmed: `${face.faceId},${other.faceId}` },
    ]) {
      expectError(await search([pictures[0]!], fields), 400, /^You can only answer about faces/)
      expect(asked).toBeUndefined()
    }
    // What was taken back may be said again.
    answer.evidence = Buffer.of(1)
    const back = (await search([], { searchToken, confirmed: '' })).body.searchToken
    expect((await search([], { searchToken: back, confirmed: face.faceId })).status).toBe(200)
    expect(asked).toMatchObject({ confirmed: [face.faceId], rejected: [] })
    expect((await search([pictures[0]!], { rejected: face.faceId })).status).toBe(200)
    expect(asked).toMatchObject({ confirmed: [], rejected: [face.faceId] })
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
        { filename: '2.jpg', similarity: 45, face: { id: expect.any(String), box: BOX } },
        { filename: '3.jpg', similarity: 30, face: { id: expect.any(String), box: BOX } },
      ],
      selfies: [seen],
    })
    expect(body.matchedPhotos).toEqual([body.photos[0].url])
    expect(body.totalMatches).toBe(1)
  })
})
