import type { Combination } from '../contract/search.ts'
import { bestOfPhotos } from '../faces/best-of-photos.ts'
import type { FaceMatch, FoundPerson } from '../faces/face-index.ts'

type Found = Pick<FoundPerson, 'sure' | 'possible'>

/** The photos with both persons, or with at least one of them, best match first. The possible faces are those that the
 *  first person is asked about: a yes adds the photo. */
export function combinePersons(combination: Combination, one: Found, other: Found): Found {
  if (combination === 'both')
    return { sure: together(one.sure, other.sure), possible: together(one.possible, other.sure) }
  const sure = bestOfPhotos([...one.sure, ...other.sure])
  const isShown = new Set(sure.map(({ photoId }) => photoId))
  return { sure, possible: one.possible.filter(({ photoId }) => !isShown.has(photoId)) }
}

/** The faces of one person in photos that show the other, too. Two persons are two faces: where the same face was found for
 *  both, only one of them is in the photo. The less similar face decides how well a photo matches. */
function together(ones: FaceMatch[], others: FaceMatch[]): FaceMatch[] {
  const othersByPhoto = new Map(others.map((match) => [match.photoId, match]))
  return bestOfPhotos(
    ones.flatMap((one) => {
      const other = othersByPhoto.get(one.photoId)
      if (!other || other.faceId === one.faceId) return []
      return [{ ...one, similarity: Math.min(one.similarity, other.similarity) }]
    }),
  )
}
