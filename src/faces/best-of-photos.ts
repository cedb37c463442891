import type { FaceMatch } from './face-index.ts'

/** The best match of each photo, the best one first. Equal ones come in the order of their ids, so that an answer is always
 *  the same. */
export function bestOfPhotos(matches: Iterable<FaceMatch>): FaceMatch[] {
  const best = new Map<string, FaceMatch>()
  for (const match of matches) {
    const other = best.get(match.photoId)
    if (!other || bestFirst(match, other) < 0) best.set(match.photoId, match)
  }
  return [...best.values()].sort(bestFirst)
}

function bestFirst(one: FaceMatch, other: FaceMatch): number {
  return other.similarity - one.similarity || (one.faceId < other.faceId ? -1 : 1)
}
