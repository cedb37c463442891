import type { FaceQuality } from '../face-index.ts'

/** Which poses are good for comparing faces: "The pitch should be less than 30 degrees face down and less than 45 degrees face
 *  up. The yaw should be less than 45 degrees in either direction. There is no restriction on the roll" ("Recommendations for
 *  facial comparison input images" in the Developer Guide).
 *
 *  For sharpness and brightness Amazon gives no limits. The faces in the examples of the API Reference have a sharpness of 80
 *  and more, and a brightness of 29 to 38. These limits are far from that, and not measured. */
const GOOD = { yaw: 45, pitchUp: 45, pitchDown: 30, sharpness: 20, brightness: [20, 90] } as const

/** What is wrong with a face. Nothing, where the engine gave no value. */
export function faultsOf({ yaw, pitch, sharpness, brightness }: FaceQuality) {
  return {
    isTurned:
      Math.abs(yaw ?? 0) >= GOOD.yaw || (pitch ?? 0) >= GOOD.pitchUp || (pitch ?? 0) <= -GOOD.pitchDown,
    isDark: (brightness ?? 50) < GOOD.brightness[0],
    isBright: (brightness ?? 50) > GOOD.brightness[1],
    isBlurred: (sharpness ?? 100) < GOOD.sharpness,
  }
}

/** Whether a face may be searched by. */
export const isGood = (quality: FaceQuality) => !Object.values(faultsOf(quality)).includes(true)
