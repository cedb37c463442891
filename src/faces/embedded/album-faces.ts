import { createLimiter } from '../../processes/limiter.ts'
import { type AlbumCacheLimits, createAlbumCache } from './album-cache.ts'
import type { CollectionState, DescriptorReader } from './descriptor-store.ts'
import type { FaceCodes } from './face-codes.ts'
import type { AlbumFace } from './find-person.ts'
import { distanceOf } from './template.ts'

/** The faces of albums, of which most are in memory. */
export interface AlbumFaces {
  /** The states of these albums' collections. Albums without one are missing from the answer. */
  states(albumIds: string[]): Promise<Map<string, CollectionState>>
  /** The faces of an album within a distance of any of the descriptors: the reach of a search. */
  inReach(
    albumId: string,
    state: CollectionState,
    descriptors: readonly Float32Array[],
    distance: number,
  ): Promise<FacesInReach>
  /** Begins to load albums that will probably be searched soon. Returns at once and never fails. */
  prepare(albumIds: string[]): void
  /** Takes an album out of memory. */
  forget(albumId: string): void
  close(): Promise<void>
}

export interface FacesInReach {
  /** Reads the faces within `distance` of any descriptor, and those in these photos, as far as the search reaches. A few
   *  may be farther away than `distance`. Faces that an earlier call read are left out. */
  read(descriptors: readonly Float32Array[], distance: number, photoIds?: string[]): Promise<AlbumFace[]>
}

/** When more albums wait than this, a search comes before its turn anyway. */
const MOST_PREPARATIONS = 100

const FACES_IN_QUERY = 5_000

/** Looks in two passes. Codes in memory tell which faces can be near enough (see face-codes.ts). The few that can are
 *  read from the store and compared exactly. So the answer is that of an exact comparison, with a quarter of the memory.
 *  All faces are compared once for a search. What it reads is chosen from the codes of the faces in its reach.
 *  @param onLoad called when an album that will probably be searched begins to load */
export function createAlbumFaces(
  reader: DescriptorReader,
  limits: AlbumCacheLimits,
  onLoad: (albumId: string, state: CollectionState) => unknown,
): AlbumFaces {
  const cache = createAlbumCache(reader, limits)
  const preparing = new Set<string>()
  // One at a time, so that searches can always load other albums.
  const inPreparation = createLimiter({ running: 1 })

  async function load(albumId: string): Promise<void> {
    const state = (await reader.states([albumId])).get(albumId)
    if (!state) return
    onLoad(albumId, state)
    await cache.visit(albumId, state, () => undefined)
  }

  return {
    async states(albumIds) {
      const states = await reader.states(albumIds)
      for (const albumId of albumIds) if (!states.has(albumId)) cache.forget(albumId)
      return states
    },

    async inReach(albumId, state, descriptors, distance) {
      // Several when the album is shown in parts.
      const parts: FaceCodes[] = []
      await cache.visit(albumId, state, (faces) => {
        parts.push(faces.copyNear(descriptors, distance))
      })
      const isInReach = (face: AlbumFace) =>
        descriptors.some((descriptor) => distanceOf(face.descriptor, descriptor) <= distance)
      return facesOfParts(reader, albumId, parts, isInReach)
    },

    prepare(albumIds) {
      for (const albumId of albumIds) {
        if (preparing.size >= MOST_PREPARATIONS) return
        if (preparing.has(albumId) || cache.knows(albumId)) continue
        preparing.add(albumId)
        // A search of the album meets the same error, and reports it.
        const done = () => preparing.delete(albumId)
        inPreparation.run('', () => load(albumId)).then(done, done)
      }
    },

    forget: cache.forget,

    async close() {
      cache.clear()
      await reader.close()
    },
  }
}

function facesOfParts(
  reader: DescriptorReader,
  albumId: string,
  parts: FaceCodes[],
  isInReach: (face: AlbumFace) => boolean,
): FacesInReach {
  const known = new Set<string>()
  return {
    async read(descriptors, distance, photoIds = []) {
      const inPhotos = photoIds.length > 0 ? await reader.facesInPhotos(photoIds) : []
      const wanted = new Set(
        parts.flatMap((faces) => [...faces.near(descriptors, distance), ...faces.present(inPhotos)]),
      )
      const found: AlbumFace[] = []
      for (const faceIds of inGroups([...wanted].filter((faceId) => !known.has(faceId))))
        found.push(...(await reader.facesOf(albumId, faceIds)))
      for (const faceId of wanted) known.add(faceId)
      return found.filter(isInReach)
    },
  }
}

function* inGroups(faceIds: string[]): Generator<string[]> {
  for (let from = 0; from < faceIds.length; from += FACES_IN_QUERY)
    yield faceIds.slice(from, from + FACES_IN_QUERY)
}
