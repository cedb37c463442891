import type { SelfieProblem } from '../../../contract/selfie-advice.ts'
import type { AppError } from '../../../errors.ts'
import { faceTooDark, faceTooSmall, noFaceFound } from '../../errors.ts'
import type { SelfieFaces } from '../../face-index.ts'
import { selfieProblems } from '../../selfie-problems.ts'
import type { DescribedSelfie } from '../networks/engine.ts'
import { GOOD, strictnessOf } from './face-trust.ts'
import { distanceOf, type QueryFace } from './query-embedding.ts'

/** Two selfies that are farther apart show two people: nobody would be asked about such a face (see match-limits.ts). */
const TWO_PEOPLE = 0.62

/** Pixels. Of faces of 32 to 40 pixels, 14% of the pairs with other pictures of the same person were farther than 0.5; of
 *  larger ones, 6% (see face-trust.ts). */
const NEAR_SIDE = 40

/** Of 80 portraits that were darkened to a brightness of 27, 16, 12 and 7, the face was found in 95%, 66%, 41% and 14%. */
const LIGHT = 20

/** The mean of a picture without a face, below which darkness is the likely reason. Of 22 faces from event photos that
 *  were darkened until no picture was brighter than 18.5, 12.3, 9.2 and 6.1, 13, 5, 2 and none were found. */
const LIGHT_OF_PICTURE = 15

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
      problems: problemsOf(selfie),
      isSomebodyElse: isSomebodyElse(selfie),
    })),
  }
}

/** What could be better about a selfie, for the face that is searched by. */
export function problemsOf({
  faces,
  searched,
  described,
  pictureBrightness = 50,
}: Omit<DescribedSelfie, 'unindexed'>): SelfieProblem[] {
  if (!described) return pictureBrightness < LIGHT_OF_PICTURE ? ['TOO_DARK', 'NO_FACE'] : ['NO_FACE']
  const sides = faces.map(({ side }) => side)
  const { sharpness, brightness, yaw } = described.quality
  return selfieProblems(sides, searched, {
    isFar: sides[searched]! < NEAR_SIDE,
    isTurned: Math.abs(yaw ?? 0) > GOOD.yaw,
    isDark: (brightness ?? 50) < LIGHT,
    isBright: (brightness ?? 50) > GOOD.brightness,
    isBlurred: (sharpness ?? 100) < GOOD.sharpness,
  })
}

/** What to say about selfies of which none has a face. */
function withoutFace(selfies: readonly DescribedSelfie[]): AppError {
  const left = selfies.flatMap(({ unindexed }) => unindexed)
  if (left.some(({ reasons }) => reasons.includes('SMALL_BOUNDING_BOX'))) return faceTooSmall()
  const isDark = (selfie: DescribedSelfie) => problemsOf(selfie).includes('TOO_DARK')
  return selfies.every(isDark) ? faceTooDark() : noFaceFound()
}
