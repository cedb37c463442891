import { beforeEach, expect, test, vi } from 'vitest'
import { createMemoryDescriptorStore } from '../../testing/memory-descriptor-store.ts'
import { createAlbumCache } from './album-cache.ts'
import type { DescriptorStore } from './descriptor-store.ts'
import { DESCRIPTOR_LENGTH } from './matcher.ts'

const probe = new Float32Array(DESCRIPTOR_LENGTH)

let store: DescriptorStore
let loads: { albumId: string; after: number; faces: number }[]

/** Two caches over one store act like two processes over one database. */
beforeEach(async () => {
  const memory = createMemoryDescriptorStore(2)
  loads = []
  store = {
    ...memory,
    async *load(albumId, after, upTo) {
      const load = { albumId, after, faces: 0 }
      loads.push(load)
      for await (const chunk of memory.load(albumId, after, upTo)) {
        load.faces += chunk.length
        yield chunk
      }
    },
  }
  await store.createCollection('album')
})

async function save(albumId: string, photoId: string, count: number): Promise<void> {
  await store.savePhoto(
    albumId,
    photoId,
    Array.from({ length: count }, (_, index) => ({ faceId: `${photoId}/${index}`, descriptor: probe })),
  )
}

async function faceIds(cache: ReturnType<typeof createAlbumCache>, albumId = 'album'): Promise<string[]> {
  const faces = (await cache.current([albumId])).get(albumId)
  return faces!.match(probe, 0).map((match) => match.faceId)
}

test('loads what another process adds, and only that', async () => {
  const cache = createAlbumCache(store)
  await save('album', 'one', 5)
  expect(await faceIds(cache)).toHaveLength(5)
  await save('album', 'two', 1)
  expect(await faceIds(cache)).toEqual(['one/0', 'one/1', 'one/2', 'one/3', 'one/4', 'two/0'])
  expect(await faceIds(cache)).toHaveLength(6)
  expect(loads.map((load) => load.faces)).toEqual([5, 1])
})

test('forgets what another process removes or replaces', async () => {
  const cache = createAlbumCache(store)
  await save('album', 'one', 2)
  await save('album', 'two', 3)
  expect(await faceIds(cache)).toHaveLength(5)
  await store.removePhotos('album', ['one'])
  expect(await faceIds(cache)).toEqual(['two/0', 'two/1', 'two/2'])
  await save('album', 'two', 1)
  expect(await faceIds(cache)).toEqual(['two/0'])
})

test('a photo that is saved again without a change loads nothing', async () => {
  const cache = createAlbumCache(store)
  await save('album', 'one', 2)
  await faceIds(cache)
  await save('album', 'one', 2)
  expect(await faceIds(cache)).toHaveLength(2)
  expect(loads).toHaveLength(1)
})

test('a deleted collection is missing, and created again it is empty', async () => {
  const cache = createAlbumCache(store)
  await save('album', 'one', 2)
  await faceIds(cache)
  await store.deleteCollection('album')
  expect(await cache.current(['album'])).toEqual(new Map())
  await store.createCollection('album')
  expect(await faceIds(cache)).toEqual([])
})

test('a collection that is deleted and created again between two searches shows none of its former faces', async () => {
  const cache = createAlbumCache(store)
  await save('album', 'one', 2)
  await faceIds(cache)
  await store.deleteCollection('album')
  await store.createCollection('album')
  await save('album', 'two', 1)
  expect(await faceIds(cache)).toEqual(['two/0'])
})

test('searches at the same time load a cold album once', async () => {
  const cache = createAlbumCache(store)
  await save('album', 'one', 5)
  const found = await Promise.all([faceIds(cache), faceIds(cache), faceIds(cache)])
  expect(found.map((ids) => ids.length)).toEqual([5, 5, 5])
  expect(loads).toHaveLength(1)
})

test('a photo saved while the album loads is found by the search that comes after', async () => {
  await save('album', 'one', 4)
  let saved: Promise<void> | undefined
  const cache = createAlbumCache({
    ...store,
    async *load(albumId, after, upTo) {
      for await (const chunk of store.load(albumId, after, upTo)) {
        yield chunk
        saved ??= save('album', 'two', 1)
        await saved
      }
    },
  })
  expect(await faceIds(cache)).toEqual(['one/0', 'one/1', 'one/2', 'one/3'])
  expect(await faceIds(cache)).toEqual(['one/0', 'one/1', 'one/2', 'one/3', 'two/0'])
})

test('a load that fails halfway leaves nothing twice', async () => {
  await save('album', 'one', 4)
  let failing = false
  const cache = createAlbumCache({
    ...store,
    async *load(albumId, after, upTo) {
      for await (const chunk of store.load(albumId, after, upTo)) {
        yield chunk
        if (failing) throw new Error('the database went away')
      }
    },
  })
  await faceIds(cache)
  await save('album', 'two', 4)
  failing = true
  await expect(cache.current(['album'])).rejects.toThrow('went away')
  failing = false
  expect(await faceIds(cache)).toHaveLength(8)
})

test('holds no more than its limit of faces: the least recently used album goes', async () => {
  const cache = createAlbumCache(store, 5)
  for (const albumId of ['a', 'b', 'c']) {
    await store.createCollection(albumId)
    await save(albumId, `photo of ${albumId}`, 2)
  }
  for (const albumId of ['a', 'b', 'a', 'c', 'a', 'b']) expect(await faceIds(cache, albumId)).toHaveLength(2)
  expect(loads.map((load) => load.albumId)).toEqual(['a', 'b', 'c', 'b'])
})

test('an album larger than the limit is held alone', async () => {
  const cache = createAlbumCache(store, 3)
  await save('album', 'one', 7)
  expect(await faceIds(cache)).toHaveLength(7)
  expect(await faceIds(cache)).toHaveLength(7)
  expect(loads).toHaveLength(1)
})

test('forgets an album that nobody searches, because another process may have erased it', async () => {
  vi.useFakeTimers()
  try {
    const cache = createAlbumCache(store, 1_000_000, 15 * 60_000)
    await save('album', 'one', 2)
    await faceIds(cache)
    vi.advanceTimersByTime(14 * 60_000)
    await faceIds(cache)
    vi.advanceTimersByTime(14 * 60_000)
    await faceIds(cache)
    expect(loads).toHaveLength(1)
    vi.advanceTimersByTime(16 * 60_000)
    await faceIds(cache)
    expect(loads).toHaveLength(2)
    cache.clear()
  } finally {
    vi.useRealTimers()
  }
})
