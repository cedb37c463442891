import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPool } from '../../database/client.ts'
import { domainOfFile } from '../../testing/domain.ts'
import { type RecordedPhoto, recordPhotos } from '../../testing/recorded-faces.ts'
import { syntheticPeople } from '../../testing/synthetic-people.ts'
import type { FoundPerson } from '../face-index.ts'
import { type AlbumSearch, createAlbumSearch, type PersonFaces } from './album-search.ts'
import { facesOfAlbum, facesWithOthers } from './matching/album-face-queries.ts'
import { measureNonMates } from './matching/album-limits.ts'
import { statesOf } from './queries.ts'

const people = syntheticPeople(11)
const ada = people.person()
const selfie = { descriptor: people.pictureOf(ada), strictness: 0 }

const domain = await domainOfFile()
let albums: AlbumSearch
let albumId: string

beforeEach(async () => {
  albumId = (await domain.newAlbum()).id
  albums = createAlbumSearch(
    createPool(domain.address, () => {}),
    { maxBytes: 1e8 },
  )
})
afterEach(() => albums.close())

async function save(...faces: Float32Array[]): Promise<RecordedPhoto> {
  return (await recordPhotos(domain.db, albumId, [faces]))[0]!
}

async function search(person: Partial<PersonFaces> = {}, threshold?: number): Promise<FoundPerson> {
  const query = { selfies: [selfie], confirmed: [], rejected: [], ...person }
  return (await albums.search([albumId, randomUUID()], query, threshold)).get(albumId)!
}

const photosIn = (matches: { photoId: string }[]) => matches.map(({ photoId }) => photoId).sort()
const awayFromSelfie = (distance: number) => people.pictureOf(selfie.descriptor, distance)

test('a selfie that is closer to a face than two pictures of a person are is from the album', async () => {
  await save(people.pictureOf(people.person()))
  await save(awayFromSelfie(0.2))
  expect(await search()).not.toHaveProperty('isFromAlbum')
  const copy = await save(awayFromSelfie(0.1))
  expect(await search()).toMatchObject({ isFromAlbum: true })
  const another = { descriptor: awayFromSelfie(0.4), strictness: 0 }
  expect(await search({ selfies: [another] })).not.toHaveProperty('isFromAlbum')
  // One of several is enough, and it does not help to say that the face is somebody else's.
  expect(await search({ selfies: [another, selfie], rejected: copy.faceIds })).toMatchObject({
    isFromAlbum: true,
  })
})

describe('the limits of an album', () => {
  /** Photos of two people who are as far from each other. */
  async function savePairs(count: number, apart: number): Promise<void> {
    const pairs = Array.from({ length: count }, () => {
      const one = people.person()
      return [one, people.lookAlike(one, apart)]
    })
    await recordPhotos(domain.db, albumId, pairs)
  }

  const measured = () =>
    domain.db.selectFrom('non_mate_distances').selectAll().where('album_id', '=', albumId).executeTakeFirst()
  /** Waits until they are measured for an album of so many faces. */
  const untilMeasured = (faces: number) => expect.poll(measured).toMatchObject({ album_id: albumId, faces })

  test('come from the strangers in its photos', async () => {
    const { photoId } = await save(awayFromSelfie(0.52))
    await savePairs(60, 0.6)
    expect(photosIn((await search()).sure)).toEqual([photoId])
    await untilMeasured(121)
    const { sure, possible } = await search()
    expect([photosIn(sure), photosIn(possible)]).toEqual([[], [photoId]])
  })

  test('are measured again when the album has grown by a quarter, and not before', async () => {
    await savePairs(10, 0.8)
    await search()
    await untilMeasured(20)
    await savePairs(2, 0.8)
    await measureNonMates(domain.db, albumId, (await statesOf(domain.db, [albumId])).get(albumId)!)
    expect(await measured()).toMatchObject({ faces: 20, pairs: 10 })
    await savePairs(1, 0.8)
    await search()
    await untilMeasured(26)
  })

  test('are measured without a search that waits for it', async () => {
    await savePairs(3, 0.8)
    await domain.db.transaction().execute(async (trx) => {
      await sql`lock table non_mate_distances in share mode`.execute(trx)
      for (let times = 0; times < 2; times++) expect(await search()).toEqual({ sure: [], possible: [] })
    })
    await untilMeasured(6)
  })

  test('are measured while the album is prepared', async () => {
    await savePairs(3, 0.8)
    albums.prepare([albumId])
    await untilMeasured(6)
    expect(await measured()).toMatchObject({ pairs: 3 })
  })
})

test('strangers are measured by the largest faces of the photos that show several people', async () => {
  const faces = await Promise.all(
    [1, 2, 6].map(async (count) => await save(...Array.from({ length: count }, people.person))),
  )
  for (const { faceIds } of faces)
    for (const [place, id] of faceIds.entries())
      await domain.db
        .updateTable('faces')
        .set({ box_width: ((place * 5) % 7) / 10 })
        .where('id', '=', id)
        .execute()
  const byPhoto = Map.groupBy(await facesWithOthers(domain.db, albumId), ({ photoId }) => photoId)
  const idsOf = (photo: RecordedPhoto) => byPhoto.get(photo.photoId)?.map(({ faceId }) => faceId)
  const [, pair, crowd] = faces as [RecordedPhoto, RecordedPhoto, RecordedPhoto]
  expect(byPhoto.size).toBe(2)
  expect(idsOf(pair)).toEqual([pair.faceIds[1], pair.faceIds[0]])
  // 0, 5, 3, 1, 6 and 4 tenths of the width.
  expect(idsOf(crowd)).toEqual([4, 1, 5, 2].map((place) => crowd.faceIds[place]))
})

test('faces are stricter when they are blurred, or small in the picture that was described', async () => {
  const { photoId, faceIds } = await save(...Array.from({ length: 3 }, people.person))
  await domain.db
    .updateTable('photos')
    .set({ width: 4_000, height: 3_000 })
    .where('id', '=', photoId)
    .execute()
  // 38, 29 and 192 pixels of 1,920.
  for (const [place, face] of [{ box: 0.02 }, { box: 0.015 }, { box: 0.1, sharpness: 9 }].entries())
    await domain.db
      .updateTable('faces')
      .set({
        box_width: face.box,
        box_height: face.box,
        ...(face.sharpness && { sharpness: face.sharpness }),
      })
      .where('id', '=', faceIds[place]!)
      .execute()
  const found = await facesOfAlbum(domain.db, albumId, 'id', faceIds)
  const strictness = new Map(found.map((face) => [face.faceId, face.strictness]))
  expect(faceIds.map((id) => strictness.get(id))).toEqual([0, 0.04, 0.04])
})
