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
import { boxOf, type Detection, detectFaces } from './detect-faces.ts'
import { detectTurnedFaces } from './detect-turned-faces.ts'
import { qualityOf } from './face-quality.ts'
import { withinLimits } from './index-limits.ts'
import { LANDMARK_SIZE } from './landmark-graph.ts'
import type { Networks } from './networks.ts'
import { encodePreview, isJpeg, type Pixels, readPixels } from './pixels.ts'
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

export interface FaceEngine {
  /** The faces of a JPEG or PNG within the limits (see index-limits.ts), the largest first. Throws AppError
   *  UNPROCESSABLE_CONTENT for an image that cannot be read. */
  describeFaces(image: Uint8Array): Promise<DescribedFace[]>
  /** The same, with the faces that are left out, and with the photo's preview if it is wanted. */
  describePhoto(image: Uint8Array, options?: { withPreview?: boolean | undefined }): Promise<DescribedPhoto>
  /** The largest face of a selfie. All faces are detected, but only this one is described, so a picture of a crowd
   *  takes no longer than a portrait. Undefined when there is no face, or it is not clear. Throws like describeFaces. */
  describeLargestFace(image: Uint8Array): Promise<DescribedFace | undefined>
}

/** The part of an aligned square in which the landmarks are searched for a second time. */
const SECOND_LANDMARK_PART = 0.85

/** Faces that are described together. More need more memory and gain no time. */
const BATCH = 8

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

  async function describe(pixels: Pixels, detections: readonly Detection[]): Promise<DescribedPhoto> {
    const faces: DescribedFace[] = []
    const unindexed: UnindexedFace[] = []
    for (let from = 0; from < detections.length; from += BATCH) {
      const batch = detections.slice(from, from + BATCH)
      const squares = batch.map((detection) => squareAround(detection, pixels))
      const aligned = (await align(pixels, squares)).map((face, index) => ({
        face,
        detection: batch[index]!,
        isClear: hasLandmarks(face, squares[index]!.side),
      }))
      for (const { detection, isClear } of aligned)
        if (!isClear) unindexed.push({ reasons: ['LOW_FACE_QUALITY'], box: boxOf(detection) })
      faces.push(
        ...(await describeAligned(
          pixels,
          aligned.filter(({ isClear }) => isClear),
        )),
      )
    }
    return { faces, unindexed }
  }

  async function describeAligned(
    pixels: Pixels,
    aligned: readonly { face: AlignedFace; detection: Detection }[],
  ): Promise<DescribedFace[]> {
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

  async function describeWithinLimits(
    pixels: Pixels,
    detections: readonly Detection[],
    most?: number,
  ): Promise<DescribedPhoto> {
    const { described, unindexed } = withinLimits(detections, pixels)
    const { faces, unindexed: unclear } = await describe(pixels, described.slice(0, most))
    return { faces, unindexed: [...unindexed, ...unclear] }
  }

  /** Where no face can be described, the picture is turned. A photo that shows nobody takes 0.14 s more of processor time for it.
   *  @param most the number of faces that are described, the largest first; by default all */
  async function describeInAnyPosition(pixels: Pixels, most?: number): Promise<DescribedPhoto> {
    const upright = await describeWithinLimits(pixels, await detectFaces(networks, pixels), most)
    if (upright.faces.length > 0) return upright
    const turned = await describeWithinLimits(pixels, await detectTurnedFaces(networks, pixels), most)
    return turned.faces.length > 0 ? turned : upright
  }

  async function describePhoto(
    image: Uint8Array,
    { withPreview = false }: { withPreview?: boolean | undefined } = {},
  ): Promise<DescribedPhoto> {
    const pixels = await readPixels(image, PREVIEW_SIDE)
    return {
      ...(await describeInAnyPosition(pixels)),
      preview: withPreview && isJpeg(image) ? await encodePreview(pixels) : undefined,
    }
  }

  return {
    describePhoto,
    describeFaces: async (image) => (await describePhoto(image)).faces,

    async describeLargestFace(image) {
      const { faces } = await describeInAnyPosition(await readPixels(image, PREVIEW_SIDE), 1)
      return faces[0]
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
