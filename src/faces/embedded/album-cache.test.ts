import { totalmem } from 'node:os'
import { expect, test, vi } from 'vitest'
import {
  begin,
  found,
  loads,
  reader,
  save,
  searchAlbumsForEachTest,
  store,
} from '../../testing/searched-albums.ts'
import { type AlbumCache, bytesForAlbums, createAlbumCache } from './album-cache.ts'
import { bytesOfFaces } from './face-codes.ts'

searchAlbumsForEachTest()

test('takes an eighth of the memory, of the container if it has less than the machine', () => {
  const limit = vi.spyOn(process, 'constrainedMemory')
  for (const [bytes, expected] of [
    [2e9, 2.5e8],
    // Without a limit, by Node's manual and as measured.
    [0, totalmem() / 8],
    [2 ** 64, totalmem() / 8],
  ] as const) {
    limit.mockReturnValueOnce(bytes)
    expect(bytesForAlbums()).toBe(expected)
  }
})

/** How many faces a visit of the album shows, one part after another. */
async function partsOf(cache: AlbumCache): Promise<number[]> {
  const parts: number[] = []
  const state = (await store.states(['album'])).get('album')!
  await cache.visit('album', state, (faces) => parts.push(faces.size))
  return parts
}

test('shows an album that does not fit in parts that do', async () => {
  const cache = createAlbumCache(reader, { maxBytes: bytesOfFaces(5) })
  await save('album', 'one', 4)
  expect(await partsOf(cache)).toEqual([4])
  await save('album', 'two', 9)
  const parts = await partsOf(cache)
  expect(parts.reduce((sum, part) => sum + part)).toBe(13)
  expect(Math.max(...parts)).toBeLessThanOrEqual(6)
  expect(Math.max(...(await partsOf(cache)))).toBeLessThanOrEqual(2)
  cache.clear()
})

test('removed faces leave the memory', async () => {
  const cache = createAlbumCache(reader, { maxBytes: bytesOfFaces(100) })
  await save('album', 'one', 4)
  await save('album', 'two', 9)
  expect(await partsOf(cache)).toEqual([13])
  await store.removePhotos('album', ['two'])
  expect(await partsOf(cache)).toEqual([4])
  cache.clear()
})

test('holds no more than its limit: the least recently used album goes', async () => {
  const search = begin({ maxBytes: bytesOfFaces(5) })
  for (const albumId of ['a', 'b', 'c']) {
    await store.createCollection(albumId)
    await save(albumId, `photo of ${albumId}`, 2)
  }
  for (const albumId of ['a', 'b', 'a', 'c', 'a', 'b']) expect(await found(search, albumId)).toHaveLength(2)
  expect(loads.map((load) => load.albumId)).toEqual(['a', 'b', 'c', 'b'])
})

test('an album larger than the cache is searched in parts, and stays out of it', async () => {
  const search = begin({ maxBytes: bytesOfFaces(3) })
  await store.createCollection('small')
  await save('small', 'other', 2)
  await save('album', 'one', 7)
  expect(await found(search)).toHaveLength(7)
  await found(search, 'small')
  expect(await found(search)).toHaveLength(7)
  search.prepare(['album'])
  await found(search, 'small')
  expect(loads.map(({ albumId }) => albumId)).toEqual(['album', 'small', 'album'])
})

test('an album that grows beyond the cache is searched in parts, and is held again when it shrinks', async () => {
  const search = begin({ maxBytes: bytesOfFaces(4) })
  await save('album', 'one', 3)
  expect(await found(search)).toHaveLength(3)
  await save('album', 'two', 3)
  expect(await found(search)).toHaveLength(6)
  expect(await found(search)).toHaveLength(6)
  await store.removePhotos('album', ['two'])
  for (let times = 0; times < 3; times++) expect(await found(search)).toHaveLength(3)
  expect(loads.map((load) => load.faces)).toEqual([3, 3, 6, 3, 3])
})

test('albums that load at the same time stay within the limit together', async () => {
  const search = begin({ maxBytes: bytesOfFaces(6) })
  const albumIds = ['a', 'b', 'c', 'd']
  for (const albumId of albumIds) {
    await store.createCollection(albumId)
    await save(albumId, `photo of ${albumId}`, 4)
  }
  const all = await Promise.all(albumIds.map((albumId) => found(search, albumId)))
  expect(all.map((names) => names.length)).toEqual([4, 4, 4, 4])
})

test('forgets an album that nobody searches for an hour, and one that another process has erased', async () => {
  vi.useFakeTimers()
  try {
    const search = begin()
    await save('album', 'one', 2)
    await found(search)
    await vi.advanceTimersByTimeAsync(59 * 60_000)
    await found(search)
    await vi.advanceTimersByTimeAsync(59 * 60_000)
    await found(search)
    expect(loads).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(61 * 60_000)
    await found(search)
    expect(loads).toHaveLength(2)
    vi.spyOn(reader, 'states')
    await store.deleteCollection('album')
    await vi.advanceTimersByTimeAsync(2 * 60_000)
    expect(reader.states).toHaveBeenLastCalledWith(['album'])
    // It was dropped at the first sweep: the second one had nothing to ask for.
    expect(reader.states).toHaveBeenCalledTimes(1)
  } finally {
    vi.useRealTimers()
  }
})
