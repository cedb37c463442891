import type pg from 'pg'
import { dbOf } from '../../database/client.ts'
import { createLimiter } from '../../processes/limiter.ts'
import { foundByEach } from '../best-of-photos.ts'
import type { FoundPerson } from '../face-index.ts'
import { numbersNear } from './album-in-memory.ts'
import { createAlbumVectors, type VectorLimits } from './album-vectors.ts'
import { facesOfAlbum } from './matching/album-face-queries.ts'
import { createNonMatesMeter, limitsOfAlbum } from './matching/album-limits.ts'
import { areFromAlbum, beginToFind, startOf } from './matching/find-person.ts'
import type { QueryFace } from './matching/query-embedding.ts'
import { type AlbumState, numbersInPhotos, statesOf } from './queries.ts'

/** Who is searched for. */
export interface PersonFaces {
  /** At least one. */
  selfies: readonly QueryFace[]
  /** Ids of faces that are of the person, and of faces that are not. Those of other albums have no effect. */
  confirmed: string[]
  rejected: string[]
  amongChildren?: boolean | undefined
}

/** Finds the photos of a person in albums. */
export interface AlbumSearch {
  /** What is found in each of these albums that was not erased.
   *  @param threshold similarity (0–100) from which a face is surely of the person; undefined: the album decides */
  search(albumIds: string[], person: PersonFaces, threshold?: number): Promise<Map<string, FoundPerson>>
  /** Begins to load albums that will probably be searched soon. Returns at once and never fails. */
  prepare(albumIds: string[]): void
  close(): Promise<void>
}

/** Searches albums in this thread.
 *  @param pool is closed with the search */
export function createAlbumSearch(pool: pg.Pool, limits: VectorLimits): AlbumSearch {
  const db = dbOf(pool)
  const vectors = createAlbumVectors(pool, limits)
  const keepMeasured = createNonMatesMeter(db)
  // One at a time, so that searches can always load other albums.
  const inPreparation = createLimiter({ running: 1 })

  async function load(albumId: string): Promise<void> {
    if (vectors.has(albumId)) return
    const state = (await statesOf(db, [albumId])).get(albumId)
    if (!state) return
    void keepMeasured(albumId, state)
    await vectors.load(albumId)
  }

  async function findIn(
    albumId: string,
    state: AlbumState,
    person: PersonFaces,
    threshold: number | undefined,
  ): Promise<FoundPerson> {
    const limits = limitsOfAlbum(state, threshold, person.amongChildren)
    const confirmed = await facesOfAlbum(db, albumId, 'id', person.confirmed)
    const starts = startOf(person.selfies, confirmed)
    const inReach = await vectors.near(albumId, starts, limits.reach)
    const possiblyOf = (descriptors: Float32Array[]) => numbersNear(inReach, descriptors, limits.possible)
    const nearNumbers = possiblyOf([...starts, ...confirmed.map(({ descriptor }) => descriptor)])
    const near = await facesOfAlbum(db, albumId, 'number', nearNumbers)
    const nearIds = new Set(near.map(({ faceId }) => faceId))
    const first = beginToFind(
      { selfies: person.selfies, confirmed, rejected: new Set(person.rejected) },
      [...near, ...confirmed.filter(({ faceId }) => !nearIds.has(faceId))],
      limits,
    )
    const isBeside = new Set(await numbersInPhotos(db, first.photoIds))
    const further = new Set(possiblyOf([first.average]))
    for (const number of inReach.numbers) if (isBeside.has(number)) further.add(number)
    for (const number of nearNumbers) further.delete(number)
    const isFromAlbum = areFromAlbum(person.selfies, near)
    const others = await facesOfAlbum(db, albumId, 'number', [...further])
    return { ...first.finish(others), ...(isFromAlbum && { isFromAlbum }) }
  }

  return {
    async search(albumIds, person, threshold) {
      const found = new Map<string, FoundPerson>()
      const states = await statesOf(db, albumIds)
      for (const [albumId, state] of states) {
        const find = (selfies: readonly QueryFace[]) =>
          findIn(albumId, state, { ...person, selfies }, threshold)
        found.set(albumId, await foundByEach(person.selfies, find))
      }
      // After the answer.
      setImmediate(() => states.forEach((state, albumId) => void keepMeasured(albumId, state)))
      return found
    },

    prepare(albumIds) {
      // A search of the album meets the same error, and reports it.
      for (const albumId of albumIds) inPreparation.run(albumId, () => load(albumId)).catch(() => undefined)
    },

    async close() {
      vectors.close()
      await db.destroy()
    },
  }
}
