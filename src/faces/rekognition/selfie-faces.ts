import type { BoundingBox, SelfieFaces } from '../face-index.ts'
import { selfieProblems } from '../selfie-problems.ts'
import { faultsOf } from './face-trust.ts'
import type { DetectedFace } from './search-calls.ts'

/** Of the long side of a picture. "Amazon Rekognition can recognize faces as small as 50 x 50 pixels in image resolutions up to
 *  1920 x 1080" ("Recommendations for facial comparison input images"). */
const NEAR = 50 / 1920

/** Of the width of a picture. Beside such a face, hardly anybody else is in the foreground. */
const ALONE = 0.5

const UNKNOWN = { sharpness: null, brightness: null, yaw: null, pitch: null, roll: null }

/** Whether a face fills a picture, so that hardly anybody could be meant but this person. */
export const isAlone = ({ width }: BoundingBox) => width >= ALONE

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
  const { box, quality } = faces[place]!
  const sides = faces.map((face) => face.box.width)
  // The smaller fraction is the one of the long side.
  const isFar = Math.min(box.width, box.height) < NEAR
  return {
    faces: faces.map((face) => ({ box: face.box })),
    searched: place,
    problems: selfieProblems(sides, place, { ...faultsOf(quality), isFar }),
  }
}

/** The place of the face whose middle is nearest to that of a box. */
function nearest(faces: readonly DetectedFace[], box: BoundingBox): number {
  const [x, y] = middleOf(box)
  const distances = faces.map((face) => {
    const [left, top] = middleOf(face.box)
    return Math.hypot(left - x, top - y)
  })
  return distances.indexOf(Math.min(...distances))
}

const middleOf = ({ left, top, width, height }: BoundingBox) => [left + width / 2, top + height / 2] as const
