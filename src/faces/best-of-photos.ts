import { MOST_POSSIBLE } from '../contract/limits.ts'
import type { FaceMatch, FoundPerson } from './face-index.ts'

/** The best match of each photo, the best one first. Equal ones come in the order of their ids, so that an answer is always
 *  the same. */
export function bestOfPhotos<Match extends FaceMatch>(matches: Iterable<Match>): Match[] {
  const best = new Map<string, Match>()
  for (const match of matches) {
    const other = best.get(match.photoId)
    if (!other || bestFirst(match, other) < 0) best.set(match.photoId, match)
  }
  return [...best.values()].sort(bestFirst)
}

function bestFirst(one: FaceMatch, other: FaceMatch): number {
  return other.similarity - one.similarity || (one.faceId < other.faceId ? -1 : 1)
}

/** A person's photos: the best of the sure matches, and of the possible ones in other photos. */
export function foundPerson(sure: Iterable<FaceMatch>, possible: readonly FaceMatch[]): FoundPerson {
  const surely = bestOfPhotos(sure)
  const isSure = new Set(surely.map(({ photoId }) => photoId))
  const asked = bestOfPhotos(possible.filter(({ photoId }) => !isSure.has(photoId)))
  return { sure: surely.map(matchOf), possible: asked.slice(0, MOST_POSSIBLE).map(matchOf) }
}

const matchOf = ({ faceId, photoId, similarity }: FaceMatch): FaceMatch => ({ faceId, photoId, similarity })

/** What several searches for one person in one album have found together: what is sure in one of them is sure. The person
 *  is asked about the other photos. */
export function foundByAny(searches: readonly FoundPerson[]): FoundPerson {
  return {
    ...foundPerson(
      searches.flatMap(({ sure }) => sure),
      searches.flatMap(({ possible }) => possible),
    ),
    ...(searches.some(({ isFromAlbum }) => isFromAlbum) && { isFromAlbum: true }),
  }
}

/** What all selfies find together, and what each of them finds alone. A poor selfie beside a good one, or one that is far
 *  from the others, would otherwise take photos away. */
export async function foundByEach<One>(
  selfies: readonly One[],
  find: (some: readonly One[]) => Promise<FoundPerson>,
): Promise<FoundPerson> {
  const each = selfies.length > 1 ? selfies.map((one) => [one]) : []
  const [together, ...alone] = await Promise.all([selfies, ...each].map(find))
  return alone.length > 0 ? foundByAny([together!, ...alone]) : together!
}
