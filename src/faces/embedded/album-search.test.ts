import { setImmediate as endOfTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryDescriptorStore } from '../../testing/memory-descriptor-store.ts'
import { syntheticPeople } from '../../testing/synthetic-people.ts'
import type { FoundPerson } from '../face-index.ts'
import { type AlbumSearch, createAlbumSearch, type PersonFaces } from './album-search.ts'

const people = syntheticPeople(11)
const ada = people.person()
const selfie = { descriptor: people.pictureOf(ada), strictness: 0 }

let store: ReturnType<typeof createMemoryDescriptorStore>
let albums: AlbumSearch
/** How often the strangers of an album were measured. */
let measured: number
/** What each measurement waits for. */
let measuring: Promise<unknown> | undefined

beforeEach(async () => {
  store = createMemoryDescriptorStore()
  measured = 0
  measuring = undefined
  albums = createAlbumSearch(
    {
      ...store,
      async facesTogether(albumId) {
        measured++
        await measuring
        return store.facesTogether(albumId)
      },
    },
    { maxBytes: 1e8 },
  )
  await store.createCollection('album')
})
afterEach(() => albums.close())

/** Saves a photo of these faces. Their ids are the photo's, and their places in it. */
function save(photoId: string, faces: Float32Array[], albumId = 'album'): Promise<void> {
  return store.savePhoto(
    albumId,
    photoId,
    faces.map((descriptor, place) => ({ faceId: idOf(photoId, place), descriptor })),
  )
}

/** The ids of tests are readable, those of the memory are 16 bytes. */
function idOf(photoId: string, place = 0): string {
  const hex = `${Buffer.from(photoId.padEnd(15, ' ')).subarray(0, 15).toString('hex')}0${place}`
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

async function search(person: Partial<PersonFaces> = {}, threshold?: number): Promise<FoundPerson> {
  const query = { selfies: [selfie], confirmed: [], rejected: [], ...person }
  return (await albums.search(['album', 'missing'], query, threshold)).get('album')!
}

const photosIn = (matches: { photoId: string }[]) => matches.map(({ photoId }) => photoId).sort()
const awayFromSelfie = (distance: number) => people.pictureOf(selfie.descriptor, distance)

test('a selfie that is closer to a face than two pictures of a person are is from the album', async () => {
  await save('other', [people.pictureOf(people.person())])
  await save('own', [people.pictureOf(selfie.descriptor, 0.2)])
  expect(await search()).not.toHaveProperty('isFromAlbum')
  await save('copy', [people.pictureOf(selfie.descriptor, 0.1)])
  expect(await search()).toMatchObject({ isFromAlbum: true })
  const another = { descriptor: people.pictureOf(selfie.descriptor, 0.4), strictness: 0 }
  expect(await search({ selfies: [another] })).not.toHaveProperty('isFromAlbum')
  // One of several is enough, and it does not help to say that the face is somebody else's.
  expect(await search({ selfies: [another, selfie], rejected: [idOf('copy')] })).toMatchObject({
    isFromAlbum: true,
  })
})

describe('the limits of an album', () => {
  /** Photos of two people who are as far from each other. */
  async function saveCouples(count: number, apart: number, from = 0): Promise<void> {
    for (let photo = from; photo < from + count; photo++) {
      const one = people.person()
      await save(`couple ${photo}`, [one, people.lookAlike(one, apart)])
    }
  }

  /** Waits until they are measured for an album of so many faces. */
  async function untilMeasured(faces: number): Promise<void> {
    await expect.poll(async () => (await store.states(['album'])).get('album')!.strangers?.faces).toBe(faces)
  }

  test('come from the strangers in its photos', async () => {
    await save('face', [awayFromSelfie(0.52)])
    await saveCouples(60, 0.6)
    expect(photosIn((await search()).sure)).toEqual(['face'])
    await untilMeasured(121)
    const { sure, possible } = await search()
    expect([photosIn(sure), photosIn(possible)]).toEqual([[], ['face']])
  })

  test('are measured once, and again when the album has grown by a quarter', async () => {
    await saveCouples(10, 0.8)
    await search()
    await untilMeasured(20)
    await saveCouples(2, 0.8, 10)
    await search()
    await endOfTurn()
    expect(measured).toBe(1)
    await saveCouples(1, 0.8, 12)
    await search()
    await untilMeasured(26)
    expect(measured).toBe(2)
  })

  test('are measured without a search that waits for it, and again after the next search when that fails', async () => {
    await saveCouples(3, 0.8)
    const away = Promise.withResolvers<never>()
    measuring = away.promise
    await search()
    await expect.poll(() => measured).toBe(1)
    expect(await search()).toEqual({ sure: [], possible: [] })
    away.reject(new Error('away'))
    measuring = undefined
    await endOfTurn()
    await search()
    await untilMeasured(6)
    expect(measured).toBe(2)
  })

  test('are measured while the album is prepared', async () => {
    await saveCouples(3, 0.8)
    albums.prepare(['album'])
    await untilMeasured(6)
    expect((await store.states(['album'])).get('album')!.strangers).toMatchObject({ couples: 3 })
    await search()
    await endOfTurn()
    expect(measured).toBe(1)
  })
})
