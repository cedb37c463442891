import { createLimiter } from '../../processes/limiter.ts'
import type { CollectionState, DescriptorReader } from './descriptor-store.ts'
import { type MatchLimits, matchLimits, withSureLimit } from './match-limits.ts'
import { distanceOfSimilarity } from './similarity.ts'
import { type StrangerDistances, strangerDistances } from './stranger-distances.ts'

/** Strangers are measured again when the album has this many times the faces of the last measurement. The limits use the
 *  current number at once. */
const GROWN = 1.25

/** No couple: the limits are those of other albums. */
const NO_STRANGERS: StrangerDistances = { couples: 0, median: 0, deviation: 0 }

type Measured = Pick<DescriptorReader, 'facesTogether' | 'keepStrangers'>
type KnownFaces = Pick<CollectionState, 'faces' | 'strangers'>

/** The limits of an album, from its strangers as they were measured last. Until then they are those of other albums.
 *  @param threshold similarity (0–100) that replaces the sure limit */
export function limitsOfAlbum({ faces, strangers }: KnownFaces, threshold?: number): MatchLimits {
  const limits = matchLimits(faces, strangers)
  return threshold === undefined ? limits : withSureLimit(limits, distanceOfSimilarity(threshold))
}

/** Measures the strangers of an album if that was not done yet, or the album has grown enough. For 500 photos with at
 *  least two people, two measurements took 0.2 and 1.7 s on a machine that was busy with other programs, so no search
 *  waits for it. */
export async function measureStrangers(reader: Measured, albumId: string, state: KnownFaces): Promise<void> {
  if (isDue(state)) await measure(reader, albumId, state.faces)
}

/** The same for many albums, one at a time. The function never fails, because there is always a next time: while photos are
 *  indexed, when a guest enters the album, and after each search. */
export function createStrangersMeter(
  reader: Measured,
): (albumId: string, state: KnownFaces) => Promise<void> {
  const measuring = new Set<string>()
  const inTurn = createLimiter({ running: 1 })
  return async (albumId, state) => {
    if (!isDue(state) || measuring.has(albumId)) return
    measuring.add(albumId)
    await inTurn.run('', () => measure(reader, albumId, state.faces)).catch(() => undefined)
    measuring.delete(albumId)
  }
}

function isDue({ faces, strangers }: KnownFaces): boolean {
  return !strangers || faces >= GROWN * Math.max(strangers.faces, 1)
}

async function measure(reader: Measured, albumId: string, faces: number): Promise<void> {
  const good = (await reader.facesTogether(albumId)).filter(({ strictness }) => strictness === 0)
  await reader.keepStrangers(albumId, { ...(strangerDistances(good) ?? NO_STRANGERS), faces })
}
