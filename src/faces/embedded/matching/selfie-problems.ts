import type { SelfieProblem } from '../../../contract/selfie-advice.ts'
import type { DescribedSelfie } from '../networks/engine.ts'
import { GOOD } from './face-trust.ts'

/** Pixels. Of faces of 32 to 40 pixels, 14% of the pairs with other pictures of the same person were farther than 0.5; of
 *  larger ones, 6% (see face-trust.ts). */
const NEAR_SIDE = 40

/** Of 80 portraits that were darkened to a brightness of 27, 16, 12 and 7, the face was found in 95%, 66%, 41% and 14%. */
const LIGHT = 20

/** The mean of a picture without a face, below which darkness is the likely reason. Of 22 faces from event photos that
 *  were darkened until no picture was brighter than 18.5, 12.3, 9.2 and 6.1, 13, 5, 2 and none were found. */
const LIGHT_OF_PICTURE = 15

/** A face that is smaller than this part of the largest one is somebody in the background. */
const FOREGROUND = 0.5

/** What could be better about a selfie, for the face that is searched by.
 *  @returns what a visitor should change first comes first; empty for a good selfie */
export function selfieProblems({
  faces,
  searched,
  described,
  pictureBrightness = 50,
}: Pick<DescribedSelfie, 'faces' | 'searched' | 'described' | 'pictureBrightness'>): SelfieProblem[] {
  if (!described) return pictureBrightness < LIGHT_OF_PICTURE ? ['TOO_DARK', 'NO_FACE'] : ['NO_FACE']
  const { side } = faces[searched]!
  const { sharpness, brightness, yaw } = described.quality
  const hasOthers = faces.some((face, index) => index !== searched && face.side >= FOREGROUND * side)
  const problems: [SelfieProblem, boolean][] = [
    ['SEVERAL_FACES', hasOthers],
    ['TOO_FAR_AWAY', side < NEAR_SIDE],
    ['TURNED_AWAY', Math.abs(yaw ?? 0) > GOOD.yaw],
    ['TOO_DARK', (brightness ?? 50) < LIGHT],
    ['TOO_BRIGHT', (brightness ?? 50) > GOOD.brightness],
    ['BLURRED', (sharpness ?? 100) < GOOD.sharpness],
  ]
  return problems.filter(([, isTrue]) => isTrue).map(([problem]) => problem)
}
