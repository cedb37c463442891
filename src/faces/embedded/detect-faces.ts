import type { Box } from './detections.ts'
import type { Networks } from './networks.ts'
import { type Pixels, scalePixels } from './pixels.ts'

/** A box with edges in fractions of the picture. They may be outside it. */
export type Detection = Box

/** Long side in pixels of the picture that faces are looked for in. */
const DETECTION_SIZE = 512

/** Grey margins, in parts of the long side. They are tried in this order until a face is found, because the
 *  detector misses faces that fill their frame. Of 66 crops of the six event photos' faces, 1 to 2 times as
 *  wide as the face and some of them turned, darkened or shrunk, it found 30 without a margin, 55 with 0.5,
 *  57 with 0.75 and 52 with 1. */
const MARGINS = [0, 0.75]

/** Every face of a picture. */
export async function detectFaces(networks: Networks, pixels: Pixels): Promise<Detection[]> {
  for (const margin of MARGINS) {
    const picture = await scalePixels(pixels, DETECTION_SIZE, margin)
    const found = (await networks.detectFaces(picture))
      .map((box) => withoutMargin(inFractions(box, picture), pixels, margin))
      .filter(({ left, top, right, bottom }) => left < right && top < bottom)
    if (found.length > 0) return found
  }
  return []
}

function inFractions({ left, top, right, bottom, score }: Box, { width, height }: Pixels): Detection {
  return { left: left / width, top: top / height, right: right / width, bottom: bottom / height, score }
}

/** Converts fractions of a picture with a margin to fractions of the picture itself, cut off at its edges. */
function withoutMargin(detection: Detection, { width, height }: Pixels, margin: number): Detection {
  const across = (margin * Math.max(width, height)) / width
  const down = (margin * Math.max(width, height)) / height
  const x = (value: number) => Math.min(Math.max(value * (1 + 2 * across) - across, 0), 1)
  const y = (value: number) => Math.min(Math.max(value * (1 + 2 * down) - down, 0), 1)
  return {
    left: x(detection.left),
    top: y(detection.top),
    right: x(detection.right),
    bottom: y(detection.bottom),
    score: detection.score,
  }
}
