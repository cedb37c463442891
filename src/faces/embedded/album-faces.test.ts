import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { randomNumbers } from '../../testing/rekognition/faults.ts'
import {
  begin,
  found,
  loads,
  reader,
  save,
  searchAlbumsForEachTest,
  store,
} from '../../testing/searched-albums.ts'
import { DESCRIPTOR_LENGTH } from './descriptor-store.ts'
import { bytesOfFaces } from './face-codes.ts'
import { distanceOf } from './template.ts'

searchAlbumsForEachTest()

test.each([0, 0.125, 0.5, 0.69, Number.POSITIVE_INFINITY])(
  'finds within %d what comparing every number finds, with any cache',
  async (distance) => {
    const next = randomNumbers(2)
    const one = Float32Array.from({ length: DESCRIPTOR_LENGTH }, () => next() - 0.5)
    const other = one.map((value) => value + 0.01)
    // From almost 0 to far away, and the searched face itself.
    const stored = Array.from({ length: 1_500 }, (_, place) => ({
      faceId: randomUUID(),
      photoId: `photo ${place}`,
      descriptor: one.map((value) => value + (next() - 0.5) * 0.3 * (place / 1_500)),
    }))
    for (const { photoId, ...face } of stored) await store.savePhoto('album', photoId, [face])
    const isNear = ({ descriptor }: { descriptor: Float32Array }) =>
      [one, other].some((searched) => distanceOf(descriptor, searched) <= distance)
    const expected = stored.filter(isNear).map(({ faceId }) => faceId)
    for (const maxBytes of [bytesOfFaces(10_000), bytesOfFaces(700), 0]) {
      const faces = begin({ maxBytes })
      const state = (await faces.states(['album'])).get('album')!
      const inReach = await faces.inReach('album', state, [one, other], distance)
      const near = await inReach.read([one, other], distance)
      expect(near.map(({ faceId }) => faceId).sort()).toEqual(expected.toSorted())
    }
    expect(expected.length).toBeGreaterThan(distance === 0 ? 0 : 100)
  },
)

test('loads what another process adds, and only that', async () => {
  const search = begin()
  await save('album', 'one', 5)
  expect(await found(search)).toHaveLength(5)
  await save('album', 'two', 1)
  expect(await found(search)).toEqual(['one/0', 'one/1', 'one/2', 'one/3', 'one/4', 'two/0'])
  expect(await found(search)).toHaveLength(6)
  expect(loads.map((load) => load.faces)).toEqual([5, 1])
})

test('takes out what another process removes or replaces, and loads nothing again', async () => {
  const search = begin()
  await save('album', 'one', 2)
  await save('album', 'two', 3)
  expect(await found(search)).toHaveLength(5)
  await store.removePhotos('album', ['one'])
  expect(await found(search)).toEqual(['two/0', 'two/1', 'two/2'])
  await save('album', 'two', 1)
  expect(await found(search)).toEqual(['two/0'])
  expect(loads.map((load) => load.faces)).toEqual([5, 0, 1])
})

test('loads everything again when not all removals are known', async () => {
  const search = begin({}, { ...reader, removedFaces: async () => undefined })
  await save('album', 'one', 2)
  await save('album', 'two', 3)
  await found(search)
  await store.removePhotos('album', ['one'])
  expect(await found(search)).toEqual(['two/0', 'two/1', 'two/2'])
  expect(loads.map((load) => load.faces)).toEqual([5, 3])
})

test('a deleted collection is missing, and created again it is empty', async () => {
  const search = begin()
  await save('album', 'one', 2)
  await found(search)
  await store.deleteCollection('album')
  expect(await search.states(['album'])).toEqual(new Map())
  await store.createCollection('album')
  expect(await found(search)).toEqual([])
})

test('a face that is removed between the two passes is not found', async () => {
  const search = begin(
    {},
    {
      ...reader,
      async facesOf(albumId, faceIds) {
        await store.removePhotos('album', ['one'])
        return store.facesOf(albumId, faceIds)
      },
    },
  )
  await save('album', 'one', 2)
  await save('album', 'two', 1)
  expect(await found(search)).toEqual(['two/0'])
})

test('searches at the same time load a cold album once', async () => {
  const search = begin()
  await save('album', 'one', 5)
  const all = await Promise.all([found(search), found(search), found(search)])
  expect(all.map((ids) => ids.length)).toEqual([5, 5, 5])
  expect(loads).toHaveLength(1)
})

test('of thousands of albums that are prepared at once, one loads at a time, and a search does not wait for them', async () => {
  await save('album', 'one', 5)
  const asked: string[] = []
  const others = Promise.withResolvers<void>()
  const search = begin(
    {},
    {
      ...reader,
      async states(albumIds) {
        asked.push(...albumIds)
        if (!albumIds.includes('album')) await others.promise
        return await reader.states(albumIds)
      },
    },
  )
  search.prepare(Array.from({ length: 2_000 }, (_, index) => `album ${index}`))
  expect(await found(search)).toHaveLength(5)
  expect(asked.toSorted()).toEqual(['album', 'album 0'])
  // Most of them are not worth the work: their searches have come before.
  others.resolve()
  await expect.poll(() => asked).toHaveLength(101)
  search.prepare(['the next'])
  await expect.poll(() => asked.slice(101)).toEqual(['the next'])
})

test('a photo saved while the album loads is found by the search that comes after', async () => {
  await save('album', 'one', 4)
  const search = begin(
    {},
    {
      ...reader,
      async load(...args) {
        await reader.load(...args)
        await save('album', 'two', 1)
      },
    },
  )
  expect(await found(search)).toEqual(['one/0', 'one/1', 'one/2', 'one/3'])
  expect(await found(search)).toEqual(['one/0', 'one/1', 'one/2', 'one/3', 'two/0'])
})

test('a photo removed while the album loads is not found by the search that comes after', async () => {
  await save('album', 'one', 4)
  await save('album', 'two', 1)
  const search = begin(
    {},
    {
      ...reader,
      async load(...args) {
        await reader.load(...args)
        await store.removePhotos('album', ['one'])
      },
    },
  )
  await found(search)
  expect(await found(search)).toEqual(['two/0'])
})

test('a load that fails halfway leaves nothing twice', async () => {
  await save('album', 'one', 4)
  let failing = false
  const search = begin(
    {},
    {
      ...reader,
      async load(...args) {
        await reader.load(...args)
        if (failing) throw new Error('the database went away')
      },
    },
  )
  await found(search)
  await save('album', 'two', 4)
  failing = true
  await expect(found(search)).rejects.toThrow('went away')
  failing = false
  expect(await found(search)).toHaveLength(8)
  expect(loads.map((load) => load.faces)).toEqual([4, 4, 8])
})
