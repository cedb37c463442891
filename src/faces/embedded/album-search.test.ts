import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemoryDescriptorStore } from '../../testing/memory-descriptor-store.ts'
import type { AlbumCacheLimits } from './album-cache.ts'
import { type AlbumSearch, createAlbumSearch } from './album-search.ts'
import { DESCRIPTOR_LENGTH, type DescriptorReader } from './descriptor-store.ts'
import { bytesOfFaces } from './face-codes.ts'

const CHUNK = 2
const probe = new Float32Array(DESCRIPTOR_LENGTH)

let store: ReturnType<typeof createMemoryDescriptorStore>
let reader: DescriptorReader
let loads: { albumId: string; after: number; faces: number }[]
let searches: AlbumSearch[]
/** Their ids, by name. */
let faces: Map<string, string>

/** Two searches over one store act like two processes over one database. */
beforeEach(async () => {
  store = createMemoryDescriptorStore(CHUNK)
  loads = []
  searches = []
  faces = new Map()
  reader = {
    ...store,
    async load(albumId, range, onChunk) {
      const load = { albumId, after: range.after, faces: 0 }
      loads.push(load)
      await store.load(albumId, range, (chunk) => {
        load.faces += chunk.count
        onChunk(chunk)
      })
    },
  }
  await store.createCollection('album')
})
afterEach(() => Promise.all(searches.map((search) => search.close())))

function begin(limits: Partial<AlbumCacheLimits> = {}, from = reader): AlbumSearch {
  const search = createAlbumSearch(from, { maxBytes: bytesOfFaces(1_000), ...limits })
  searches.push(search)
  return search
}

function idOf(name: string): string {
  const id = faces.get(name) ?? randomUUID()
  faces.set(name, id)
  return id
}

async function save(albumId: string, photoId: string, count: number): Promise<void> {
  await store.savePhoto(
    albumId,
    photoId,
    Array.from({ length: count }, (_, index) => ({
      faceId: idOf(`${photoId}/${index}`),
      descriptor: probe,
    })),
  )
}

/** The names of all faces that a search finds. */
async function found(search: AlbumSearch, albumId = 'album'): Promise<string[]> {
  const matches = (await search.search([albumId], probe, 80)).get(albumId)!
  return [...faces]
    .filter(([, id]) => matches.some(({ faceId }) => faceId === id))
    .map(([name]) => name)
    .toSorted()
}

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

test('removes a face before it loads the one that replaces it under the same id', async () => {
  const search = begin()
  await save('album', 'one', 2)
  await found(search)
  const far = new Float32Array(DESCRIPTOR_LENGTH).fill(0.4)
  await store.savePhoto('album', 'one', [{ faceId: idOf('one/0'), descriptor: far }])
  expect(await found(search)).toEqual([])
  await save('album', 'one', 1)
  expect(await found(search)).toEqual(['one/0'])
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

test('a photo that is saved again without a change loads nothing', async () => {
  const search = begin()
  await save('album', 'one', 2)
  await found(search)
  await save('album', 'one', 2)
  expect(await found(search)).toHaveLength(2)
  expect(loads).toHaveLength(1)
})

test('a deleted collection is missing, and created again it is empty', async () => {
  const search = begin()
  await save('album', 'one', 2)
  await found(search)
  await store.deleteCollection('album')
  expect(await search.search(['album'], probe, 80)).toEqual(new Map())
  await store.createCollection('album')
  expect(await found(search)).toEqual([])
})

test('a collection that is deleted and created again between two searches shows none of its former faces', async () => {
  const search = begin()
  await save('album', 'one', 2)
  await found(search)
  await store.deleteCollection('album')
  await store.createCollection('album')
  await save('album', 'two', 1)
  expect(await found(search)).toEqual(['two/0'])
  expect(loads).toMatchObject([
    { after: 0, faces: 2 },
    { after: 0, faces: 1 },
  ])
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

test('a search finds the album that is being prepared, and a prepared album is not loaded again', async () => {
  const search = begin()
  await save('album', 'one', 5)
  search.prepare(['album', 'missing'])
  search.prepare(['album'])
  await expect.poll(() => loads).toHaveLength(1)
  expect(await found(search)).toHaveLength(5)
  search.prepare(['album'])
  expect(await found(search)).toHaveLength(5)
  expect(loads).toHaveLength(1)
})

test('of thousands of albums that are prepared at once, one loads at a time, and a search does not wait for them', async () => {
  await save('album', 'one', 5)
  const asked: string[] = []
  const search = begin(
    {},
    {
      ...reader,
      states(albumIds) {
        asked.push(...albumIds)
        return albumIds.includes('album') ? reader.states(albumIds) : new Promise(() => undefined)
      },
    },
  )
  search.prepare(Array.from({ length: 2_000 }, (_, index) => `album ${index}`))
  expect(await found(search)).toHaveLength(5)
  expect(asked).toEqual(['album 0', 'album'])
})

test('a preparation that fails is not reported, and the search after it loads the album', async () => {
  let isAway = true
  const search = begin(
    {},
    {
      ...reader,
      states: (albumIds) => (isAway ? Promise.reject(new Error('away')) : reader.states(albumIds)),
    },
  )
  await save('album', 'one', 1)
  search.prepare(['album'])
  await expect(found(search)).rejects.toThrow('away')
  isAway = false
  expect(await found(search)).toEqual(['one/0'])
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

test('every search finds all that was saved before it, while an album grows', async () => {
  const search = begin()
  let saved = 0
  const grow = async () => {
    for (let photo = 0; photo < 200; photo++) {
      await save('album', `photo ${photo}`, 3)
      saved += 3
    }
  }
  const growing = grow()
  while (saved < 600) {
    const before = saved
    expect((await found(search)).length).toBeGreaterThanOrEqual(before)
  }
  await growing
  expect(await found(search)).toHaveLength(600)
  expect(loads.reduce((sum, load) => sum + load.faces, 0)).toBe(600)
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
