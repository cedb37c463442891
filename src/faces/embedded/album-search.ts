import { createGate } from '../../gate.ts'
import type { FaceMatch } from '../face-index.ts'
import { type AlbumCacheLimits, createAlbumCache } from './album-cache.ts'
import type { CollectionState, DescriptorReader } from './descriptor-store.ts'
import { distanceOfSimilarity, similarityOfDistance } from './similarity.ts'
import { distanceOf } from './template.ts'

/** Finds the faces of albums that look like a descriptor. */
export interface AlbumSearch {
  /** The faces at or above `threshold` (0–100), best first, in each of these albums that has a collection. */
  search(albumIds: string[], descriptor: Float32Array, threshold: number): Promise<Map<string, FaceMatch[]>>
  /** Begins to load albums that will probably be searched soon. Returns at once and never fails. */
  prepare(albumIds: string[]): void
  /** Takes an album out of memory. */
  forget(albumId: string): void
  close(): Promise<void>
}

/** When more albums wait than this, a search comes before its turn anyway. */
const MOST_PREPARATIONS = 100

const FACES_IN_QUERY = 5_000

/** Searches in two passes. Codes in memory tell which faces can be near enough (see face-codes.ts). The few that can
 *  are read from the store and compared exactly. So the answer is that of an exact search, with a quarter of the
 *  memory. */
export function createAlbumSearch(reader: DescriptorReader, limits: AlbumCacheLimits): AlbumSearch {
  const cache = createAlbumCache(reader, limits)
  const preparing = new Set<string>()
  // One at a time, so that searches can always load other albums.
  const inPreparation = createGate(1)

  async function matchesIn(
    albumId: string,
    state: CollectionState,
    descriptor: Float32Array,
    threshold: number,
  ): Promise<FaceMatch[]> {
    const candidates: string[][] = []
    const distance = distanceOfSimilarity(threshold)
    await cache.visit(albumId, state, (faces) => candidates.push(faces.near(descriptor, distance)))
    const matches: FaceMatch[] = []
    for (const faceIds of inGroups(candidates.flat()))
      for (const face of await reader.facesOf(albumId, faceIds)) {
        const similarity = similarityOfDistance(distanceOf(face.descriptor, descriptor))
        if (similarity >= threshold) matches.push({ faceId: face.faceId, photoId: face.photoId, similarity })
      }
    return matches.sort(bestFirst)
  }

  async function load(albumId: string): Promise<void> {
    const state = (await reader.states([albumId])).get(albumId)
    if (state) await cache.visit(albumId, state, () => undefined)
  }

  return {
    async search(albumIds, descriptor, threshold) {
      const states = await reader.states(albumIds)
      const found = new Map<string, FaceMatch[]>()
      for (const albumId of albumIds) {
        const state = states.get(albumId)
        if (state) found.set(albumId, await matchesIn(albumId, state, descriptor, threshold))
        else cache.forget(albumId)
      }
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

/** Equal faces come in the order of their ids, so that the answer is always the same. */
function bestFirst(one: FaceMatch, other: FaceMatch): number {
  return other.similarity - one.similarity || (one.faceId < other.faceId ? -1 : 1)
}
