import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach } from 'vitest'
import type { AlbumCacheLimits } from '../faces/embedded/album-cache.ts'
import { type AlbumFaces, createAlbumFaces } from '../faces/embedded/album-faces.ts'
import { DESCRIPTOR_LENGTH, type DescriptorReader } from '../faces/embedded/descriptor-store.ts'
import { bytesOfFaces } from '../faces/embedded/face-codes.ts'
import { createMemoryDescriptorStore } from './memory-descriptor-store.ts'

const CHUNK = 2

/** The descriptor of all faces. */
const probe = new Float32Array(DESCRIPTOR_LENGTH)

/** These belong to the running test; `searchAlbumsForEachTest` creates them. */
export let store: ReturnType<typeof createMemoryDescriptorStore>
export let reader: DescriptorReader
/** Of `reader`. */
export let loads: { albumId: string; after: number; faces: number }[]
let searches: AlbumFaces[]
/** Their ids, by name: the photo's id and the face's place in it. */
let faces: Map<string, string>

/** Gives each test a store that has the empty collection `album`. */
export function searchAlbumsForEachTest(): void {
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
}

/** Two searches over one store act like two processes over one database. */
export function begin(limits: Partial<AlbumCacheLimits> = {}, from = reader): AlbumFaces {
  const search = createAlbumFaces(from, { maxBytes: bytesOfFaces(1_000), ...limits }, async () => {})
  searches.push(search)
  return search
}

export function idOf(name: string): string {
  const id = faces.get(name) ?? randomUUID()
  faces.set(name, id)
  return id
}

export async function save(albumId: string, photoId: string, count: number): Promise<void> {
  await store.savePhoto(
    albumId,
    photoId,
    Array.from({ length: count }, (_, index) => ({
      faceId: idOf(`${photoId}/${index}`),
      descriptor: probe,
    })),
  )
}

/** The names of all faces near the probe. */
export async function found(search: AlbumFaces, albumId = 'album'): Promise<string[]> {
  const state = (await search.states([albumId])).get(albumId)!
  const near = await (await search.inReach(albumId, state, [probe], 0.5)).read([probe], 0.5)
  return [...faces]
    .filter(([, id]) => near.some(({ faceId }) => faceId === id))
    .map(([name]) => name)
    .toSorted()
}
