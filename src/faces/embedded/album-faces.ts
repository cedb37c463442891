import { createGate } from '../../gate.ts'
import { type AlbumCacheLimits, createAlbumCache } from './album-cache.ts'
import type { CollectionState, DescriptorReader } from './descriptor-store.ts'
import type { AlbumFace } from './find-person.ts'
import { distanceOf } from './template.ts'

/** The faces of albums, of which most are in memory. */
export interface AlbumFaces {
  /** The states of these albums' collections. Albums without one are missing from the answer. */
  states(albumIds: string[]): Promise<Map<string, CollectionState>>
  /** The faces of an album within a distance of any of the descriptors. */
  near(
    albumId: string,
    state: CollectionState,
    descriptors: readonly Float32Array[],
    distance: number,
  ): Promise<AlbumFace[]>
  /** Begins to load albums that will probably be searched soon. Returns at once and never fails. */
  prepare(albumIds: string[]): void
  /** Takes an album out of memory. */
  forget(albumId: string): void
  close(): Promise<void>
}

/** When more albums wait than this, a search comes before its turn anyway. */
const MOST_PREPARATIONS = 100

const FACES_IN_QUERY = 5_000

/** Looks in two passes. Codes in memory tell which faces can be near enough (see face-codes.ts). The few that can are
 *  read from the store and compared exactly. So the answer is that of an exact comparison, with a quarter of the memory.
 *  @param onLoad called before an album is loaded that will probably be searched */
export function createAlbumFaces(
  reader: DescriptorReader,
  limits: AlbumCacheLimits,
  onLoad: (albumId: string, state: CollectionState) => Promise<unknown>,
): AlbumFaces {
  const cache = createAlbumCache(reader, limits)
  const preparing = new Set<string>()
  // One at a time, so that searches can always load other albums.
  const inPreparation = createGate(1)

  async function load(albumId: string): Promise<void> {
    const state = (await reader.states([albumId])).get(albumId)
    if (!state) return
    await onLoad(albumId, state)
    await cache.visit(albumId, state, () => undefined)
  }

  return {
    async states(albumIds) {
      const states = await reader.states(albumIds)
      for (const albumId of albumIds) if (!states.has(albumId)) cache.forget(albumId)
      return states
    },

    async near(albumId, state, descriptors, distance) {
      const candidates = new Set<string>()
      await cache.visit(albumId, state, (faces) => {
        for (const descriptor of descriptors)
          for (const faceId of faces.near(descriptor, distance)) candidates.add(faceId)
      })
      const found: AlbumFace[] = []
      for (const faceIds of inGroups([...candidates]))
        for (const face of await reader.facesOf(albumId, faceIds))
          if (descriptors.some((descriptor) => distanceOf(face.descriptor, descriptor) <= distance))
            found.push(face)
      return found
    },

    prepare(albumIds) {
      for (const albumId of albumIds) {
        if (preparing.size >= MOST_PREPARATIONS) return
        if (preparing.has(albumId) || cache.knows(albumId)) continue
        preparing.add(albumId)
        // A search of the album meets the same error, and reports it.
        const done = () => preparing.delete(albumId)
        inPreparation(() => load(albumId)).then(done, done)
      }
    },

    forget: cache.forget,

    async close() {
      cache.clear()
      await reader.close()
    },
  }
}

function* inGroups(faceIds: string[]): Generator<string[]> {
  for (let from = 0; from < faceIds.length; from += FACES_IN_QUERY)
    yield faceIds.slice(from, from + FACES_IN_QUERY)
}
