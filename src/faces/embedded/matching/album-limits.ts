import type { Db } from '../../../database/client.ts'
import { createLimiter } from '../../../processes/limiter.ts'
import { SURE_AMONG_CHILDREN } from '../../face-index.ts'
import { type AlbumState, upsertNonMates } from '../queries.ts'
import { facesWithOthers } from './album-face-queries.ts'
import { type MatchLimits, matchLimits, withSureLimit } from './match-limits.ts'
import { nonMateDistances } from './non-mate-distances.ts'
import { distanceOfSimilarity } from './similarity.ts'

/** Non-mates are measured again when the album has this many times the faces of the last measurement. The limits use the
 *  current number at once. */
const GROWN = 1.25

/** The limits of an album, from its non-mates as they were measured last. Until then they are those of other albums.
 *  @param threshold similarity (0–100) that replaces the sure limit
 *  @param amongChildren the sure limit is at least that of albums for children */
export function limitsOfAlbum(
  { faces, nonMates }: AlbumState,
  threshold?: number,
  amongChildren = false,
): MatchLimits {
  const limits = matchLimits(faces, nonMates)
  const sure = threshold === undefined ? limits.sure : distanceOfSimilarity(threshold)
  return withSureLimit(
    limits,
    amongChildren ? Math.min(sure, distanceOfSimilarity(SURE_AMONG_CHILDREN)) : sure,
  )
}

/** Measures the non-mates of an album if that was not done yet, or the album has grown enough. For 500 photos with at
 *  least two people, two measurements took 0.2 and 1.7 s on a machine that was busy with other programs, so no search
 *  waits for it. */
export async function measureNonMates(
  db: Db,
  albumId: string,
  { faces, nonMates }: AlbumState,
): Promise<void> {
  if (nonMates && faces < GROWN * Math.max(nonMates.faces, 1)) return
  const good = (await facesWithOthers(db, albumId)).filter(({ strictness }) => strictness === 0)
  await upsertNonMates(db, albumId, { ...nonMateDistances(good), faces })
}

/** The same for many albums, one at a time. The function never fails, because there is always a next time: while photos are
 *  indexed, when a guest enters the album, and after each search. */
export function createNonMatesMeter(db: Db): (albumId: string, state: AlbumState) => Promise<void> {
  const measuring = new Set<string>()
  const inTurn = createLimiter({ running: 1 })
  return async (albumId, state) => {
    if (measuring.has(albumId)) return
    measuring.add(albumId)
    await inTurn.run('', () => measureNonMates(db, albumId, state)).catch(() => undefined)
    measuring.delete(albumId)
  }
}
