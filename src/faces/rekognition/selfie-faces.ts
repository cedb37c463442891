import type { SelfieProblem } from '../../contract/selfie-advice.ts'
import type { BoundingBox, SelfieFaces } from '../face-index.ts'
import type { DetectedFace } from './detect-faces.ts'
import { faultsOf } from './face-trust.ts'

/** Of the long side of a picture. "Amazon Rekognition can recognize faces as small as 50 x 50 pixels in image resolutions up to
 *  1920 x 1080" ("Recommendations for facial comparison input images"). */
const NEAR = 50 / 1920

/** A face that is smaller than this part of the largest one is somebody in the background. */
const FOREGROUND = 0.5

/** Of the width of a picture. Beside such a face, hardly anybody else is in the foreground. */
const ALONE = 0.5

/** Whether a face fills a picture, so that hardly anybody could be meant but this person. */
export function isAlone({ width }: BoundingBox): boolean {
  return width >= ALONE
}

/** What was seen in a selfie, except whether it is somebody else.
 *  @param searched the box of the face that was searched by; undefined when none was
 *  @param detected undefined when the faces were not detected. Then less is known
 *  @param chosen the place of the face that the visitor has chosen */
export function seenInSelfie(
  searched: BoundingBox | undefined,
  detected: readonly DetectedFace[] | undefined,
  chosen = 0,
): Omit<SelfieFaces, 'isSomebodyElse'> {
  const faces = detected?.length ? detected : searched ? [{ box: searched, quality: UNKNOWN }] : []
  if (faces.length === 0) return { faces: [], searched: 0, problems: ['NO_FACE'] }
  const place = searched ? nearest(faces, searched) : chosen
  return { faces: faces.map(({ box }) => ({ box })), searched: place, problems: problemsOf(faces, place) }
}

const UNKNOWN = { sharpness: null, brightness: null, yaw: null, pitch: null, roll: null }

/** What the visitor should change first comes first. */
function problemsOf(faces: readonly DetectedFace[], searched: number): SelfieProblem[] {
  const { box, quality } = faces[searched]!
  const { isTurned, isDark, isBright, isBlurred } = faultsOf(quality)
  const hasOthers = faces.some(
    (face, place) => place !== searched && face.box.width >= FOREGROUND * box.width,
  )
  const problems: [SelfieProblem, boolean][] = [
    ['SEVERAL_FACES', hasOthers],
    // The smaller fraction is the one of the long side.
    ['TOO_FAR_AWAY', Math.min(box.width, box.height) < NEAR],
    ['TURNED_AWAY', isTurned],
    ['TOO_DARK', isDark],
    ['TOO_BRIGHT', isBright],
    ['BLURRED', isBlurred],
  ]
  return problems.filter(([, isTrue]) => isTrue).map(([problem]) => problem)
}

/** The place of the face whose middle is nearest to that of a box. */
function nearest(faces: readonly DetectedFace[], box: BoundingBox): number {
  const distances = faces.map((face) => distance(face.box, box))
  return distances.indexOf(Math.min(...distances))
}

function distance(one: BoundingBox, other: BoundingBox): number {
  return Math.hypot(
    one.left + one.width / 2 - other.left - other.width / 2,
    one.top + one.height / 2 - other.top - other.height / 2,
  )
}
