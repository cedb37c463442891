import type { Db } from '../../../database/client.ts'
import { createLimiter } from '../../../processes/limiter.ts'
import { readStates, upsertStrangers } from '../queries.ts'
import { facesWithOthers } from './described-faces.ts'
import { type MatchLimits, matchLimits, withSureLimit } from './match-limits.ts'
import { distanceOfSimilarity } from './similarity.ts'
import { type MeasuredStrangers, type StrangerDistances, strangerDistances } from './stranger-distances.ts'

/** What decides the limits of an album. */
export interface AlbumState {
  /** About how many faces the album has. */
  faces: number
  /** Undefined when they were not measured yet. */
  strangers?: MeasuredStrangers | undefined
}

/** Strangers are measured again when the album has this many times the faces of the last measurement. The limits use the
 *  current number at once. */
const GROWN = 1.25

/** No couple: the limits are those of other albums. */
const NO_STRANGERS: StrangerDistances = { couples: 0, median: 0, deviation: 0 }

/** The states of these albums. Those that were erased are missing from the answer. */
export async function statesOf(db: Db, albumIds: string[]): Promise<Map<string, AlbumState>> {
  const rows = await readStates(db, albumIds)
  return new Map(
    rows.map(({ id, faces_found, faces, couples, median, deviation }) => [
      id,
      {
        faces: faces_found,
        ...(faces !== null && {
          strangers: { faces, couples: couples!, median: median!, deviation: deviation! },
        }),
      },
    ]),
  )
}

/** The limits of an album, from its strangers as they were measured last. Until then they are those of other albums.
 *  @param threshold similarity (0–100) that replaces the sure limit */
export function limitsOfAlbum({ faces, strangers }: AlbumState, threshold?: number): MatchLimits {
  const limits = matchLimits(faces, strangers)
  return threshold === undefined ? limits : withSureLimit(limits, distanceOfSimilarity(threshold))
}

/** Measures the strangers of an album if that was not done yet, or the album has grown enough. For 500 photos with at
 *  least two people, two measurements took 0.2 and 1.7 s on a machine that was busy with other programs, so no search
 *  waits for it. */
export async function measureStrangers(db: Db, albumId: string, state: AlbumState): Promise<void> {
  if (!isDue(state)) return
  const good = (await facesWithOthers(db, albumId)).filter(({ strictness }) => strictness === 0)
  await upsertStrangers(db, albumId, { ...(strangerDistances(good) ?? NO_STRANGERS), faces: state.faces })
}

/** The same for many albums, one at a time. The function never fails, because there is always a next time: while photos are
 *  indexed, when a guest enters the album, and after each search. */
export function createStrangersMeter(db: Db): (albumId: string, state: AlbumState) => Promise<void> {
  const measuring = new Set<string>()
  const inTurn = createLimiter({ running: 1 })
  return async (albumId, state) => {
    if (measuring.has(albumId)) return
    measuring.add(albumId)
    await inTurn.run('', () => measureStrangers(db, albumId, state)).catch(() => undefined)
    measuring.delete(albumId)
  }
}

function isDue({ faces, strangers }: AlbumState): boolean {
  return !strangers || faces >= GROWN * Math.max(strangers.faces, 1)
}
