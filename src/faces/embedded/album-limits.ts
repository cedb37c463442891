import type { CollectionState, DescriptorReader } from './descriptor-store.ts'
import { type MatchLimits, matchLimits, withSureLimit } from './match-limits.ts'
import { distanceOfSimilarity } from './similarity.ts'
import { type StrangerDistances, strangerDistances } from './stranger-distances.ts'

/** When an album has so many times the faces, its strangers are measured again. The limits follow its size at once. */
const GROWN = 1.25

/** No couple: the limits are those of other albums. */
const NO_STRANGERS: StrangerDistances = { couples: 0, median: 0, deviation: 0 }

/** The limits of an album. Measures its strangers when that was not done yet, or the album has grown enough: with 500
 *  photos of two people and more that took 0.2 and 1.7 s on a machine that was busy with other programs.
 *  @param threshold similarity (0–100) that replaces the sure limit */
export async function limitsOfAlbum(
  reader: Pick<DescriptorReader, 'facesTogether' | 'keepStrangers'>,
  albumId: string,
  { faces, strangers }: Pick<CollectionState, 'faces' | 'strangers'>,
  threshold?: number,
): Promise<MatchLimits> {
  const isCurrent = strangers && faces < GROWN * Math.max(strangers.faces, 1)
  const limits = matchLimits(faces, isCurrent ? strangers : await measure(reader, albumId, faces))
  return threshold === undefined ? limits : withSureLimit(limits, distanceOfSimilarity(threshold))
}

async function measure(
  reader: Pick<DescriptorReader, 'facesTogether' | 'keepStrangers'>,
  albumId: string,
  faces: number,
): Promise<StrangerDistances> {
  const good = (await reader.facesTogether(albumId)).filter(({ strictness }) => strictness === 0)
  const measured = strangerDistances(good) ?? NO_STRANGERS
  await reader.keepStrangers(albumId, { ...measured, faces })
  return measured
}
