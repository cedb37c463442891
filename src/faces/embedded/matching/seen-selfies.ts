import type { AppError } from '../../../errors.ts'
import { faceTooDark, faceTooSmall, noFaceFound } from '../../errors.ts'
import type { SelfieFaces } from '../../face-index.ts'
import type { DescribedSelfie } from '../networks/engine.ts'
import { strictnessOf } from './face-trust.ts'
import type { QueryFace } from './find-person.ts'
import { selfieProblems } from './selfie-problems.ts'
import { distanceOf } from './template.ts'

/** Two selfies that are farther apart show two people: nobody would be asked about such a face (see match-limits.ts). */
const TWO_PEOPLE = 0.62

/** What to search by, and what to answer about each selfie.
 *  @param earlier faces of selfies of the same person
 *  @throws AppError UNPROCESSABLE_CONTENT when there is no face at all */
export function seenIn(
  selfies: readonly DescribedSelfie[],
  earlier: readonly QueryFace[] = [],
): { queries: QueryFace[]; seen: SelfieFaces[] } {
  const first = earlier[0] ?? selfies.find(({ described }) => described)?.described
  if (!first) throw withoutFace(selfies)
  const isSomebodyElse = ({ described }: DescribedSelfie) =>
    described !== undefined && distanceOf(described.descriptor, first.descriptor) > TWO_PEOPLE
  const added = selfies
    .filter((selfie) => !isSomebodyElse(selfie))
    .flatMap(({ faces, searched, described }) =>
      described
        ? {
            descriptor: described.descriptor,
            strictness: strictnessOf(described.quality, faces[searched]!.side),
          }
        : [],
    )
  return {
    queries: [...earlier, ...added],
    seen: selfies.map((selfie) => ({
      faces: selfie.faces.map(({ box }) => ({ box })),
      searched: selfie.searched,
      problems: selfieProblems(selfie),
      isSomebodyElse: isSomebodyElse(selfie),
    })),
  }
}

/** What to say about selfies of which none has a face. */
function withoutFace(selfies: readonly DescribedSelfie[]): AppError {
  if (selfies.some(hasSmallFace)) return faceTooSmall()
  const isDark = (selfie: DescribedSelfie) => selfieProblems(selfie).includes('TOO_DARK')
  return selfies.every(isDark) ? faceTooDark() : noFaceFound()
}

function hasSmallFace({ unindexed }: DescribedSelfie): boolean {
  return unindexed.some(({ reasons }) => reasons.includes('SMALL_BOUNDING_BOX'))
}
