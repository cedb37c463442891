import type { BoundingBox, FaceQuality } from '../../face-index.ts'
import { PREVIEW_SIDE } from '../../preview.ts'

/** A face is poor when it is less sharp or smaller, more turned or brighter than this. Its descriptor can be far from
 *  those of the same person's other faces. The side is that of the box, in pixels of the picture that was described.
 *
 *  Measured 2026-11-22: 80 portraits of 14 people outside of this repository, each in 32 ways blurred, darkened,
 *  overexposed, shrunk, or turned on an ellipsoid in place of the head, and compared with the other portraits of the same
 *  person. Of the 1,834 faces that were found (for yaw and brightness only the sharp ones):
 *
 *  | faces | median distance | farther than 0.5 | closest 0.1% of strangers |
 *  |---|---|---|---|
 *  | sharpness 15–25, 25–30 | 0.47, 0.44 | 43%, 25% | 0.63, 0.62 |
 *  | 24–28, 28–32, 32–40 pixels | 0.56, 0.47, 0.40 | 79%, 28%, 14% | 0.63, 0.61, 0.62 |
 *  | yaw 20–30°, above 30° | 0.44, 0.48 | 15%, 39% | 0.65, 0.64 |
 *  | brightness above 90, 6–20 | 0.48, 0.35 | 43%, 1% | 0.61, 0.64 |
 *  | poor by the limits below: 256 | 0.488 | 43% | 0.626 |
 *  | all others: 1,578 | 0.372 | 8% | 0.647 |
 *
 *  A dark face is hard to find, but it is recognised as well as others. The detector's confidence, the roll and the
 *  pitch say nothing about the distance: the pitch of a face turned by 30° was measured as 15°. */
export const GOOD = { sharpness: 25, side: 32, yaw: 30, brightness: 90 }

/** By how much closer a poor face must be. With a good selfie, poor faces of strangers are 0.03 closer than good ones;
 *  two poor faces are 0.07 to 0.1 closer than two good ones (medians, and the closest 0.1%). */
const POOR_IS_CLOSER = 0.04

/** The longer side of a face in the picture that the engine described, in pixels.
 *  @param box its size in fractions of the photo
 *  @param photo its size in pixels */
export function sideWhenDescribed(
  box: Pick<BoundingBox, 'width' | 'height'>,
  photo: { width: number; height: number },
): number {
  const shrunk = Math.min(1, PREVIEW_SIDE / Math.max(photo.width, photo.height))
  return Math.max(box.width * photo.width, box.height * photo.height) * shrunk
}

/** The distance by which a face must be closer than a good one to be surely of the same person: 0 for a good face. Only
 *  faces with 0 may be searched by. A missing measurement counts as good.
 *  @param side of its box, in pixels; undefined when unknown */
export function strictnessOf({ sharpness, yaw, brightness }: FaceQuality, side = GOOD.side): number {
  const isPoor =
    (sharpness ?? 100) < GOOD.sharpness ||
    Math.abs(yaw ?? 0) > GOOD.yaw ||
    (brightness ?? 0) > GOOD.brightness ||
    side < GOOD.side
  return isPoor ? POOR_IS_CLOSER : 0
}
