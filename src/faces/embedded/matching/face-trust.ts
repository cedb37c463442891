import type { BoundingBox, FaceQuality } from '../../face-index.ts'
import { PREVIEW_SIDE } from '../../preview.ts'

/** A face is poor when it is less sharp or smaller, more turned or brighter than this. Its descriptor can be far from
 *  those of the same person's other faces. The side is that of the box, in pixels of the picture that was described.
 *
 *  Measured 2026-11-22: 80 portraits of 14 people outside of this repository, each in 32 ways blurred, darkened,
 *  overexposed, shrunk, or turned on an ellipsoid in place of the head, and compared with the other portraits of the same
 *  person. Of the 1,834 faces that were found (for yaw and brightness only the sharp ones):
 *
 *  | faces | count | median distance | farther than 0.5 | median of strangers | closest 0.1% of strangers |
 *  |---|---|---|---|---|---|
 *  | unchanged | 80 | 0.324 | 3% | 0.912 | 0.656 |
 *  | sharpness below 15 | 25 | 0.60 | 95% | 0.86 | 0.63 |
 *  | sharpness 15–25 | 64 | 0.47 | 43% | 0.89 | 0.63 |
 *  | sharpness 25–30 | 91 | 0.438 | 25% | 0.884 | 0.624 |
 *  | 24–28 pixels | 23 | 0.563 | 79% | 0.875 | 0.630 |
 *  | 28–32 pixels | 37 | 0.468 | 28% | 0.863 | 0.613 |
 *  | 32–40 pixels | 69 | 0.404 | 14% | 0.883 | 0.623 |
 *  | yaw 20–30° | 106 | 0.44 | 15% | 0.89 | 0.65 |
 *  | yaw above 30° | 62 | 0.48 | 39% | 0.87 | 0.64 |
 *  | brightness above 90 | 55 | 0.483 | 43% | 0.855 | 0.613 |
 *  | brightness 6–20 | 102 | 0.35 | 1% | 0.91 | 0.64 |
 *  | poor, by the limits below | 256 | 0.488 | 43% | 0.871 | 0.626 |
 *  | all others | 1,578 | 0.372 | 8% | 0.903 | 0.647 |
 *
 *  A dark face is hard to find, but it is recognised as well as others. The detector's confidence, the roll and the
 *  pitch say nothing about the distance: the pitch of a face turned by 30° was measured as 15°. */
export const GOOD = { sharpness: 25, side: 32, yaw: 30, brightness: 90 }

/** By how much closer a poor face must be. With a good selfie, poor faces of strangers are 0.03 closer than good ones;
 *  two poor faces are 0.07 to 0.1 closer than two good ones (medians, and the closest 0.1%). */
const POOR_IS_CLOSER = 0.04

/** A missing measurement counts as good.
 *  @param side of its box, in pixels; undefined when unknown */
export function isPoor({ sharpness, yaw, brightness }: FaceQuality, side?: number): boolean {
  return (
    (sharpness ?? 100) < GOOD.sharpness ||
    Math.abs(yaw ?? 0) > GOOD.yaw ||
    (brightness ?? 0) > GOOD.brightness ||
    (side ?? Number.POSITIVE_INFINITY) < GOOD.side
  )
}

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
 *  faces with 0 may be searched by. */
export function strictnessOf(quality: FaceQuality, side?: number): number {
  return isPoor(quality, side) ? POOR_IS_CLOSER : 0
}
