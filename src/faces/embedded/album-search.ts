import { foundByAny } from '../best-of-photos.ts'
import type { FoundPerson } from '../face-index.ts'
import type { AlbumCacheLimits } from './album-cache.ts'
import { createAlbumFaces } from './album-faces.ts'
import { createStrangersMeter, limitsOfAlbum } from './album-limits.ts'
import { areFromAlbum } from './album-pictures.ts'
import type { CollectionState, DescriptorReader } from './descriptor-store.ts'
import { beginToFind, type QueryFace, startOf } from './find-person.ts'

/** Who is searched for. */
export interface PersonFaces {
  /** At least one. */
  selfies: QueryFace[]
  /** Ids of faces that are of the person, and of faces that are not. Those of other albums have no effect. */
  confirmed: string[]
  rejected: string[]
}

/** Finds the photos of a person in albums. */
export interface AlbumSearch {
  /** What is found in each of these albums that has a collection.
   *  @param threshold similarity (0–100) from which a face is surely of the person; undefined: the album decides */
  search(albumIds: string[], person: PersonFaces, threshold?: number): Promise<Map<string, FoundPerson>>
  /** Begins to load albums that will probably be searched soon. Returns at once and never fails. */
  prepare(albumIds: string[]): void
  /** Takes an album out of memory. */
  forget(albumId: string): void
  close(): Promise<void>
}

export function createAlbumSearch(reader: DescriptorReader, cacheLimits: AlbumCacheLimits): AlbumSearch {
  const keepMeasured = createStrangersMeter(reader)
  const faces = createAlbumFaces(reader, cacheLimits, keepMeasured)

  async function findIn(
    albumId: string,
    state: CollectionState,
    person: PersonFaces,
    threshold: number | undefined,
  ): Promise<FoundPerson> {
    const limits = limitsOfAlbum(state, threshold)
    const confirmed = person.confirmed.length > 0 ? await reader.facesOf(albumId, person.confirmed) : []
    const starts = startOf(person.selfies, confirmed)
    const inReach = await faces.inReach(albumId, state, starts, limits.reach)
    const recognised = confirmed.map(({ descriptor }) => descriptor)
    const near = await inReach.read([...starts, ...recognised], limits.possible)
    const known = new Set(near.map(({ faceId }) => faceId))
    const first = beginToFind(
      { selfies: person.selfies, confirmed, rejected: new Set(person.rejected) },
      [...near, ...confirmed.filter(({ faceId }) => !known.has(faceId))],
      limits,
    )
    const further = await inReach.read([first.average], limits.possible, first.photoIds)
    const isFromAlbum = areFromAlbum(person.selfies, near)
    return { ...first.finish(further), ...(isFromAlbum && { isFromAlbum }) }
  }

  /** What all selfies find together, and what each of them finds alone. A poor selfie beside a good one, or one that is far
   *  from the others, would otherwise take photos away. */
  async function findByEach(...[albumId, state, person, threshold]: Parameters<typeof findIn>) {
    const found = [await findIn(albumId, state, person, threshold)]
    if (person.selfies.length === 1) return found[0]!
    for (const selfie of person.selfies)
      found.push(await findIn(albumId, state, { ...person, selfies: [selfie] }, threshold))
    return foundByAny(found)
  }

  return {
    async search(albumIds, person, threshold) {
      const found = new Map<string, FoundPerson>()
      const states = await faces.states(albumIds)
      for (const [albumId, state] of states)
        found.set(albumId, await findByEach(albumId, state, person, threshold))
      // After the answer.
      setImmediate(() => states.forEach((state, albumId) => void keepMeasured(albumId, state)))
      return found
    },
    prepare: faces.prepare,
    forget: faces.forget,
    close: faces.close,
  }
}
