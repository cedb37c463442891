import { type Detection, withoutMargin } from './detect-faces.ts'
import { type Box, sideOf, withoutRepeats } from './detections.ts'
import type { Networks } from './networks.ts'
import { type Pixels, scalePixels, turnPixels } from './pixels.ts'

/** Long side in pixels of the picture before it is turned. */
const SIZE = 512

/** Higher than for upright faces, because every photo without a face comes here. */
const MIN_CONFIDENCE = 0.4

/** Degrees, clockwise. A turn by 45 in addition found no more faces that lean by 30 to 60. */
const TURNS = [90, 180, 270]

/** Turns the picture to three positions, and returns the faces of the position with the clearest face.
 *  @param margin a grey one, in parts of the long side: see detect-faces.ts */
export async function detectTurnedFaces(
  networks: Networks,
  pixels: Pixels,
  margin: number,
): Promise<Detection[]> {
  const picture = await scalePixels(pixels, SIZE, margin)
  let best: Detection[] = []
  for (const turn of TURNS) {
    const turned = await turnPixels(picture, turn)
    const boxes = withoutRepeats(await networks.detectFaces(turned, MIN_CONFIDENCE))
    if ((boxes[0]?.score ?? 0) > (best[0]?.score ?? 0))
      best = boxes.map((box) => turnedBack(box, { turn, turned, picture }))
  }
  return best
    .map((found) => ({ ...withoutMargin(found, pixels, margin), angle: found.angle! }))
    .filter(({ left, top, right, bottom }) => left < right && top < bottom)
}

/** The upright square, in fractions of the picture, around a face that was found in the turned one. */
function turnedBack(
  box: Box,
  { turn, turned, picture }: { turn: number; turned: Pixels; picture: Pixels },
): Detection {
  const angle = (-turn * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const x = (box.left + box.right - turned.width) / 2
  const y = (box.top + box.bottom - turned.height) / 2
  const centreX = picture.width / 2 + cos * x - sin * y
  const centreY = picture.height / 2 + sin * x + cos * y
  const half = sideOf(box) / 2
  const inside = (value: number) => Math.min(Math.max(value, 0), 1)
  return {
    left: inside((centreX - half) / picture.width),
    top: inside((centreY - half) / picture.height),
    right: inside((centreX + half) / picture.width),
    bottom: inside((centreY + half) / picture.height),
    score: box.score,
    angle,
  }
}
