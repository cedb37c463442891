import type { BoundingBox } from '../../face-index.ts'
import { detectSmallFaces } from './detect-small-faces.ts'
import { type Box, mapEdges, sideOf, withoutRepeats } from './detections.ts'
import type { Networks } from './networks.ts'
import { type Pixels, scalePixels } from './pixels.ts'

/** A box with edges in fractions of the picture. They may be outside it. */
export interface Detection extends Box {
  /** By how many quarter turns, clockwise, the face lies in the picture; none when it is missing. */
  position?: number
}

/** Long side in pixels of the picture that faces are looked for in. */
const DETECTION_SIZE = 512

/** Of the boxes of 24 pixels and more in six photos of crowds, two thirds of those from 0.25 to 0.5 were faces, and one in
 *  seven from 0.2 to 0.25. With 0.4, one face in eight of 80 to 120 pixels in a picture of 2,048 was missed. In 31 ordinary
 *  photos every face had more than 0.6, and nothing else had more than 0.1. */
export const MIN_CONFIDENCE = 0.25

/** Long side in pixels of a box that is too small to trust: the second look decides, with all pixels. */
const SMALL_SIDE = 24

/** A small box with this confidence asks for a second look around it. Of faces of 27 to 60 pixels in a picture of
 *  2,048, 91 to 98% had such a box. None of 31 ordinary photos had one. */
export const HINT_CONFIDENCE = 0.1

/** A grey margin, in parts of the long side. It is tried when no face was found without one, because the detector
 *  misses faces that fill their frame. Of 66 crops of the six event photos' faces, 1 to 2 times as wide as the face and
 *  some of them turned, darkened or shrunk, it found 30 without a margin, 55 with 0.5, 57 with 0.75 and 52 with 1. */
export const MARGIN = 0.75

export function boxOf({ left, top, right, bottom }: Detection): BoundingBox {
  return { left, top, width: right - left, height: bottom - top }
}

/** Every face of a picture.
 *  @param minScore with a lower one than by default, there may be other things among the larger ones */
export async function detectFaces(
  networks: Networks,
  pixels: Pixels,
  minScore = MIN_CONFIDENCE,
): Promise<Detection[]> {
  const found = await detectAtAllSizes(networks, pixels, minScore)
  if (found.some(({ score }) => score > MIN_CONFIDENCE)) return found
  return withoutRepeats([...found, ...(await detectInMargin(networks, pixels))])
}

async function detectAtAllSizes(networks: Networks, pixels: Pixels, minScore: number): Promise<Detection[]> {
  const picture = await scalePixels(pixels, DETECTION_SIZE, 0)
  const boxes = await networks.detectFaces(picture, HINT_CONFIDENCE)
  const enlarged = (value: number) => value * (pixels.width / picture.width)
  const hints = boxes.filter(isSmall).map((box) => mapEdges(box, enlarged, enlarged))
  const seenAgain = await detectSmallFaces(networks, pixels, { hints, minScore: MIN_CONFIDENCE })
  const large = boxes.filter((box) => !isSmall(box) && box.score > minScore)
  return withoutRepeats([
    ...large.map((box) => inFractions(box, picture)),
    ...seenAgain.map((box) => inFractions(box, pixels)),
  ])
    .map((box) => withoutMargin(box, pixels, 0))
    .filter(hasArea)
}

async function detectInMargin(networks: Networks, pixels: Pixels): Promise<Detection[]> {
  const picture = await scalePixels(pixels, DETECTION_SIZE, MARGIN)
  return withoutRepeats(await networks.detectFaces(picture, MIN_CONFIDENCE))
    .map((box) => withoutMargin(inFractions(box, picture), pixels, MARGIN))
    .filter(hasArea)
}

const isSmall = (box: Box) => sideOf(box) < SMALL_SIDE

export function inFractions(box: Box, { width, height }: Pixels): Detection {
  return mapEdges(
    box,
    (x) => x / width,
    (y) => y / height,
  )
}

/** Converts fractions of a picture with a margin to fractions of the picture itself, cut off at its edges. */
export function withoutMargin(detection: Detection, { width, height }: Pixels, margin: number): Detection {
  const across = (margin * Math.max(width, height)) / width
  const down = (margin * Math.max(width, height)) / height
  const within = (value: number) => Math.min(Math.max(value, 0), 1)
  return mapEdges(
    detection,
    (x) => within(x * (1 + 2 * across) - across),
    (y) => within(y * (1 + 2 * down) - down),
  )
}

export const hasArea = ({ left, top, right, bottom }: Detection) => left < right && top < bottom
