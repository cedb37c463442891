import { type Detection, detectFaces, hasArea, inFractions, withoutMargin } from './detect-faces.ts'
import { withoutRepeats } from './detections.ts'
import type { Networks } from './networks.ts'
import { type Pixels, scalePixels, turnPixels } from './pixels.ts'

/** Long side in pixels of the picture before it is turned. */
const SIZE = 512

/** Those in which a face is not upright: see Detection. A turn by 45° in addition found no more faces that lean by 30 to
 *  60. */
export const POSITIONS = [1, 2, 3]

/** A quick look for faces in all positions.
 *  @param margin a grey one, in parts of the long side: see detect-faces.ts */
export async function detectInAllPositions(
  networks: Networks,
  pixels: Pixels,
  { margin, minScore }: { margin: number; minScore: number },
): Promise<Detection[]> {
  const picture = await scalePixels(pixels, SIZE, margin)
  const found: Detection[] = []
  for (const position of POSITIONS) {
    const upright = await turnPixels(picture, -90 * position)
    for (const box of await networks.detectFaces(upright, minScore))
      found.push(withoutMargin(lyingBox(inFractions(box, upright), position), pixels, margin))
  }
  return withoutRepeats(found).filter(hasArea)
}

/** Every face of a picture that lies.
 *  @param position how it lies: see Detection */
export async function detectLying(
  networks: Networks,
  pixels: Pixels,
  position: number,
): Promise<Detection[]> {
  const found = await detectFaces(networks, await turnPixels(pixels, -90 * position))
  return found.map((face) => lyingBox(face, position))
}

/** A box of an upright picture, in the same picture lying. */
function lyingBox(face: Detection, position: number): Detection {
  let lying = face
  for (let turn = 0; turn < position; turn++) {
    const { left, top, right, bottom } = lying
    lying = { ...face, left: 1 - bottom, top: left, right: 1 - top, bottom: right }
  }
  return { ...lying, position }
}
