import type { UnindexedFace } from '../../face-index.ts'
import { type AlignedFace, alignedSquare, cutSquare, pointOf, type Square } from './alignment.ts'
import {
  boxOf,
  type Detection,
  detectFaces,
  HINT_CONFIDENCE,
  MARGIN,
  MIN_CONFIDENCE,
} from './detect-faces.ts'
import { detectInAllPositions, detectLying, POSITIONS } from './detect-turned-faces.ts'
import { areaOf, withoutRepeats } from './detections.ts'
import { withinLimits } from './index-limits.ts'
import { LANDMARK_SIZE } from './landmark-graph.ts'
import type { Networks } from './networks.ts'
import type { Pixels } from './pixels.ts'

export interface FoundFace extends AlignedFace {
  detection: Detection
  /** The longer side of its box, in pixels. */
  side: number
  /** The side of its aligned square in parts of `side`: how well landmarks were found. */
  fit: number
}

export interface FoundFaces {
  /** The largest first. */
  faces: FoundFace[]
  /** Faces that are too small or not clear enough, or too many. */
  unindexed: UnindexedFace[]
}

/** The part of an aligned square in which the landmarks are searched for a second time. */
const SECOND_LANDMARK_PART = 0.85

/** Faces that go through a network together. More need more memory and gain no time. */
const BATCH = 8

/** The least fit. It is 0.5 to 1.2 for a face whose landmarks were found. When the face is too small, or its eyes are
 *  hidden, the landmarks shrink to a point: in photos of crowds 6% of the faces of 40 pixels and more, and 40% of those of
 *  24 to 40. Such faces look alike: of 1,770 pairs, 1,655 had descriptors nearer than 0.5; of as many others, 71. */
const LEAST_FIT = 0.4

/** The fit of a face whose position is sure, because the network was trained on upright faces. 65 of 67 upright faces had
 *  it, and 3 of 151 that lay. */
const SURE_FIT = 0.8

/** With a lower fit, a face of a photo is tried in other positions. Of the larger faces in photos of crowds, which stand
 *  upright, 28 of 124 had less than 0.8, and 10 less than 0.7; of 139 faces that lay, 136 and 132. */
const DOUBTFUL_FIT = 0.7

/** Higher than for upright faces, because every photo that shows nobody is looked at in all positions: with 0.25, two
 *  faces were seen in 30 of them. */
const MIN_CONFIDENCE_IN_ALL_POSITIONS = 0.4

/** Pixels. Of smaller faces in photos of crowds, up to two thirds seem to lie and do not. */
const LEAST_SIDE_TO_TURN = 40

/** Faces that are tried in other positions, the largest ones: enough to see how a photo lies. Each takes 10 ms. */
const MOST_TO_TURN = 4

/** Finds the faces of a picture, also when the picture, or somebody in it, lies or is upside down.
 *
 *  The detector sees about half of the faces that lie, and gives them the scores of upright ones. Their landmarks tell
 *  them apart, and how they lie. When most faces lie the same way, the picture is turned and looked at once more. It is
 *  looked at in all positions when no face is sure, or when there is a weak box, which one person who lies among others
 *  often leaves, and none of 37 photos of upright people had. That takes 0.14 s of processor time, also for a photo that shows
 *  nobody.
 *  @param most faces in which landmarks are searched, the largest ones
 *  @param isSelfie it shows a face, and may be cut out so closely that this is seen with a margin only */
export async function findFaces(
  networks: Networks,
  pixels: Pixels,
  { most, isSelfie = false }: { most?: number; isSelfie?: boolean } = {},
): Promise<FoundFaces> {
  const look = (detections: Detection[]) => inBestPositions(networks, pixels, detections, { most, isSelfie })
  const detections = await detectFaces(networks, pixels, HINT_CONFIDENCE)
  const strong = detections.filter(({ score }) => score > MIN_CONFIDENCE)
  let { faces, unindexed } = await look(strong)
  let mayHaveMore = strong.length < detections.length
  for (const margin of isSelfie ? [0, MARGIN] : [0]) {
    if (!mayHaveMore && faces.some(isSure)) break
    const minScore = isSelfie ? MIN_CONFIDENCE : MIN_CONFIDENCE_IN_ALL_POSITIONS
    const inAll = await look(await detectInAllPositions(networks, pixels, { margin, minScore }))
    faces = withoutRepeatedFaces([...faces, ...inAll.faces.filter(isClear)])
    mayHaveMore = false
  }
  const position = positionOfMost(faces)
  if (position > 0) {
    const lying = await look(await detectLying(networks, pixels, position))
    faces = withoutRepeatedFaces([...lying.faces, ...faces.filter(isClear)])
    unindexed = lying.unindexed
  }
  for (const { detection } of faces.filter((face) => !isClear(face)))
    unindexed.push({ reasons: ['LOW_FACE_QUALITY'], box: boxOf(detection) })
  return { faces: faces.filter(isClear), unindexed }
}

const isClear = ({ fit }: FoundFace) => fit >= LEAST_FIT

const isSure = ({ fit }: FoundFace) => fit >= SURE_FIT

/** Of the boxes on one face, the first sure one, or that with the best fit. */
function withoutRepeatedFaces(faces: readonly FoundFace[]): FoundFace[] {
  return withoutRepeats(
    faces.map((face) => ({ ...face.detection, score: Math.min(face.fit, SURE_FIT), face })),
  )
    .map(({ face }) => face)
    .toSorted((one, other) => areaOf(other.detection) - areaOf(one.detection))
}

/** The position of more than half of the faces; 0 when there is none. */
function positionOfMost(faces: readonly FoundFace[]): number {
  const known = faces
    .filter((face) => isSure(face) || (isClear(face) && positionOf(face) > 0))
    .map(positionOf)
  return POSITIONS.find((one) => known.filter((other) => other === one).length > known.length / 2) ?? 0
}

const positionOf = ({ detection }: FoundFace) => detection.position ?? 0

/** The faces in these boxes, each in the position in which it fits best, also those that are not clear.
 *  @returns unindexed: those that are too small or too many */
async function inBestPositions(
  networks: Networks,
  pixels: Pixels,
  detections: readonly Detection[],
  { most, isSelfie }: { most: number | undefined; isSelfie: boolean },
): Promise<FoundFaces> {
  const { described, unindexed } = withinLimits(detections, pixels)
  const faces: FoundFace[] = []
  for (const batch of batchesOf(described.slice(0, most)))
    faces.push(...(await align(networks, pixels, batch)))
  const enough = isSelfie ? SURE_FIT : DOUBTFUL_FIT
  const mayLie = faces.filter(({ fit, side }) => fit < enough && side >= LEAST_SIDE_TO_TURN)
  for (const face of mayLie.slice(0, MOST_TO_TURN))
    faces[faces.indexOf(face)] = await inBestPosition(networks, pixels, face)
  return { faces, unindexed }
}

async function inBestPosition(networks: Networks, pixels: Pixels, face: FoundFace): Promise<FoundFace> {
  const others = POSITIONS.map((turn) => ({ ...face.detection, position: (positionOf(face) + turn) % 4 }))
  const tried = [face, ...(await align(networks, pixels, others))]
  return tried.reduce((best, next) => (next.fit > best.fit ? next : best))
}

/** The landmarks are found twice. The first ones give an upright square, and the second ones are found in it, because
 *  the network was trained on upright faces. */
async function align(
  networks: Networks,
  pixels: Pixels,
  detections: readonly Detection[],
): Promise<FoundFace[]> {
  const detected = detections.map((detection) => squareAround(detection, pixels))
  const first = await alignOnce(networks, pixels, detected)
  const second = await alignOnce(
    networks,
    pixels,
    first.map(({ square }) => ({ ...square, side: square.side * SECOND_LANDMARK_PART })),
  )
  return second.map((face, index) => {
    const { side } = detected[index]!
    return { ...face, detection: detections[index]!, side, fit: face.square.side / side }
  })
}

async function alignOnce(
  networks: Networks,
  pixels: Pixels,
  faces: readonly Square[],
): Promise<AlignedFace[]> {
  const found = await networks.findLandmarks(faces.map((face) => cutSquare(pixels, face, LANDMARK_SIZE)))
  return found.map((points, index) => {
    const landmarks = points.map((point) => pointOf(faces[index]!, point))
    return { square: alignedSquare(landmarks), landmarks }
  })
}

export function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH)
}

function squareAround(
  { left, top, right, bottom, position = 0 }: Detection,
  { width, height }: Pixels,
): Square {
  return {
    centreX: ((left + right) / 2) * width,
    centreY: ((top + bottom) / 2) * height,
    side: Math.max((right - left) * width, (bottom - top) * height),
    angle: (position * Math.PI) / 2,
  }
}
