import type { BoundingBox, FaceQuality, UnindexedFace } from '../face-index.ts'
import { PREVIEW_SIDE } from '../preview.ts'
import {
  type AlignedFace,
  alignedSquare,
  cutSquare,
  hasLandmarks,
  pointOf,
  type Square,
} from './alignment.ts'
import { boxOf, type Detection, detectFaces, MARGIN } from './detect-faces.ts'
import { detectTurnedFaces } from './detect-turned-faces.ts'
import { qualityOf } from './face-quality.ts'
import { withinLimits } from './index-limits.ts'
import { LANDMARK_SIZE } from './landmark-graph.ts'
import type { Networks } from './networks.ts'
import { encodePreview, isJpeg, type Pixels, pictureBrightness, readPixels } from './pixels.ts'
import { RECOGNITION_SIZE } from './recognition-graph.ts'

export interface DescribedFace {
  box: BoundingBox
  /** The detector's, 0–100. */
  confidence: number
  quality: FaceQuality
  /** 128 numbers. The Euclidean distance of two descriptors says how alike the faces are. */
  descriptor: Float32Array
}

export interface DescribedPhoto {
  faces: DescribedFace[]
  /** Faces that are too small or not clear enough to be described, or too many. */
  unindexed: UnindexedFace[]
  /** The photo as guests see it on a screen (see preview.ts), from the pixels that were decoded for the faces. Only a JPEG
   *  has one here: where a PNG is transparent, the engine sees grey and a guest sees white. */
  preview?: Buffer | undefined
}

/** A selfie's faces, of which one is described. */
export interface DescribedSelfie {
  /** Those that can be described, the largest first, at most MOST_CHOICES. */
  faces: {
    box: BoundingBox
    /** The longer side of the box, in pixels of the picture that was looked at. */
    side: number
  }[]
  /** The place in `faces` of the one that is described; 0 when there is none. */
  searched: number
  described: DescribedFace | undefined
  /** Faces that are too small or not clear enough. */
  unindexed: UnindexedFace[]
  /** The mean luma of the whole picture, 0–100. Only where no face is described. */
  pictureBrightness?: number
}

export interface FaceEngine {
  /** The faces of a JPEG or PNG within the limits (see index-limits.ts), the largest first. Throws AppError
   *  UNPROCESSABLE_CONTENT for an image that cannot be read. */
  describeFaces(image: Uint8Array): Promise<DescribedFace[]>
  /** The same, with the faces that are left out, and with the photo's preview if it is wanted. */
  describePhoto(image: Uint8Array, options?: { withPreview?: boolean | undefined }): Promise<DescribedPhoto>
  /** The faces of a selfie. All are detected, but only one is described, so a picture of a crowd takes hardly longer than
   *  a portrait. Throws like describeFaces.
   *  @param wanted the place in `faces` of the one to describe; the largest when there is no such face */
  describeSelfie(image: Uint8Array, wanted?: number): Promise<DescribedSelfie>
}

/** The part of an aligned square in which the landmarks are searched for a second time. */
const SECOND_LANDMARK_PART = 0.85

/** Faces that are described together. More need more memory and gain no time. */
const BATCH = 8

/** Faces of a selfie that a visitor can choose from. Aligning so many takes 60 ms. */
const MOST_CHOICES = 24

/** A face with landmarks where those of a face are. */
interface ClearFace {
  face: AlignedFace
  detection: Detection
}

/** Describes one picture at a time. */
export function createFaceEngine(networks: Networks): FaceEngine {
  /** The landmarks are found twice. The first ones give an upright square, and the second ones are found in it, because
   *  the network was trained on upright faces. */
  async function align(pixels: Pixels, faces: readonly Square[]): Promise<AlignedFace[]> {
    const first = await alignOnce(pixels, faces)
    return alignOnce(
      pixels,
      first.map(({ square }) => ({ ...square, side: square.side * SECOND_LANDMARK_PART })),
    )
  }

  async function alignOnce(pixels: Pixels, faces: readonly Square[]): Promise<AlignedFace[]> {
    const found = await networks.findLandmarks(faces.map((face) => cutSquare(pixels, face, LANDMARK_SIZE)))
    return found.map((points, index) => {
      const landmarks = points.map((point) => pointOf(faces[index]!, point))
      return { square: alignedSquare(landmarks), landmarks }
    })
  }

  /** The faces that can be described, a batch at a time. The others are added to `unclear`. */
  async function* clearFaces(
    pixels: Pixels,
    detections: readonly Detection[],
    unclear: UnindexedFace[],
  ): AsyncGenerator<ClearFace[]> {
    for (let from = 0; from < detections.length; from += BATCH) {
      const batch = detections.slice(from, from + BATCH)
      const squares = batch.map((detection) => squareAround(detection, pixels))
      const clear: ClearFace[] = []
      for (const [index, face] of (await align(pixels, squares)).entries()) {
        const detection = batch[index]!
        if (hasLandmarks(face, squares[index]!.side)) clear.push({ face, detection })
        else unclear.push({ reasons: ['LOW_FACE_QUALITY'], box: boxOf(detection) })
      }
      yield clear
    }
  }

  async function describeAligned(pixels: Pixels, aligned: readonly ClearFace[]): Promise<DescribedFace[]> {
    if (aligned.length === 0) return []
    const cuts = aligned.map(({ face }) => cutSquare(pixels, face.square, RECOGNITION_SIZE))
    const descriptors = await networks.describeFaces(cuts)
    return aligned.map(({ face, detection }, index) => ({
      box: boxOf(detection),
      confidence: detection.score * 100,
      quality: qualityOf(cuts[index]!, face),
      descriptor: descriptors[index]!,
    }))
  }

  async function describeDetected(pixels: Pixels, detections: readonly Detection[]): Promise<DescribedPhoto> {
    const { described, unindexed } = withinLimits(detections, pixels)
    const faces: DescribedFace[] = []
    for await (const clear of clearFaces(pixels, described, unindexed))
      faces.push(...(await describeAligned(pixels, clear)))
    return { faces, unindexed }
  }

  async function describeOne(
    pixels: Pixels,
    detections: readonly Detection[],
    wanted: number,
  ): Promise<DescribedSelfie> {
    const { described: large, unindexed } = withinLimits(detections, pixels)
    const choices: ClearFace[] = []
    for await (const clear of clearFaces(pixels, large.slice(0, MOST_CHOICES), unindexed))
      choices.push(...clear)
    const searched = wanted < choices.length ? wanted : 0
    const [described] = await describeAligned(pixels, choices.slice(searched, searched + 1))
    const faces = choices.map(({ detection }) => ({
      box: boxOf(detection),
      side: squareAround(detection, pixels).side,
    }))
    return { faces, searched, described, unindexed }
  }

  /** Where no face can be described, the picture is turned. A photo that shows nobody takes 0.14 s more of processor
   *  time for it.
   *  @param margins of the turned picture. A selfie may be cut out so closely that its face is seen with a margin only */
  async function inAnyPosition<Described extends { faces: unknown[] }>(
    pixels: Pixels,
    describe: (detections: Detection[]) => Promise<Described>,
    margins: number[] = [0],
  ): Promise<Described> {
    const upright = await describe(await detectFaces(networks, pixels))
    if (upright.faces.length > 0) return upright
    for (const margin of margins) {
      const turned = await describe(await detectTurnedFaces(networks, pixels, margin))
      if (turned.faces.length > 0) return turned
    }
    return upright
  }

  async function describePhoto(
    image: Uint8Array,
    { withPreview = false }: { withPreview?: boolean | undefined } = {},
  ): Promise<DescribedPhoto> {
    const pixels = await readPixels(image, PREVIEW_SIDE)
    return {
      ...(await inAnyPosition(pixels, (detections) => describeDetected(pixels, detections))),
      preview: withPreview && isJpeg(image) ? await encodePreview(pixels, image) : undefined,
    }
  }

  return {
    describePhoto,
    describeFaces: async (image) => (await describePhoto(image)).faces,

    async describeSelfie(image, wanted = 0) {
      const pixels = await readPixels(image, PREVIEW_SIDE)
      const describe = (detections: Detection[]) => describeOne(pixels, detections, wanted)
      const selfie = await inAnyPosition(pixels, describe, [0, MARGIN])
      return selfie.described ? selfie : { ...selfie, pictureBrightness: pictureBrightness(pixels) }
    },
  }
}

function squareAround({ left, top, right, bottom, angle = 0 }: Detection, { width, height }: Pixels): Square {
  return {
    centreX: ((left + right) / 2) * width,
    centreY: ((top + bottom) / 2) * height,
    side: Math.max((right - left) * width, (bottom - top) * height),
    angle,
  }
}
