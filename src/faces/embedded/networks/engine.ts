import type { BoundingBox, FaceQuality, UnindexedFace } from '../../face-index.ts'
import { PREVIEW_SIDE } from '../../preview.ts'
import { MOST_CHOICES } from '../../selfie-problems.ts'
import { cutSquare } from './alignment.ts'
import { boxOf } from './detect-faces.ts'
import { qualityOf } from './face-quality.ts'
import { batchesOf, type FoundFace, findFaces } from './find-faces.ts'
import { loadModels } from './models.ts'
import { createNetworks, type Networks } from './networks.ts'
import { encodePreview, isJpeg, type Pixels, pictureBrightness, readPixels } from './pixels.ts'
import { RECOGNITION_SIZE } from './recognition-graph.ts'
import { loadRuntime, type RuntimeName } from './runtime.ts'

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
  /** The faces of a JPEG or PNG within the limits (see index-limits.ts), the largest first, and the photo's preview if it is
   *  wanted. Throws AppError UNPROCESSABLE_CONTENT for an image that cannot be read. */
  describePhoto(image: Uint8Array, options?: { withPreview?: boolean | undefined }): Promise<DescribedPhoto>
  /** The faces of a selfie. All are detected, but only one is described, so a picture of a crowd takes hardly longer than
   *  a portrait. Throws like describePhoto.
   *  @param wanted the place in `faces` of the one to describe; the largest when there is no such face */
  describeSelfie(image: Uint8Array, wanted?: number): Promise<DescribedSelfie>
}

/** Loads a face engine into this process.
 *  @param wanted by default the native runtime where it loads, otherwise the one for WebAssembly
 *  @param threads in which the native runtime works
 *  @returns nativeProblem: why the native runtime did not load; saveProblem: see loadModels */
export async function loadFaceEngine(wanted?: RuntimeName, threads?: number) {
  const runtime = await loadRuntime(wanted, threads)
  const { models, saveProblem } = await loadModels(runtime)
  const { name, nativeProblem } = runtime
  return { engine: createFaceEngine(createNetworks(models)), runtime: name, nativeProblem, saveProblem }
}

/** Describes one picture at a time. */
export function createFaceEngine(networks: Networks): FaceEngine {
  async function describe(pixels: Pixels, found: readonly FoundFace[]): Promise<DescribedFace[]> {
    const cuts = found.map(({ square }) => cutSquare(pixels, square, RECOGNITION_SIZE))
    const descriptors = await networks.describeFaces(cuts)
    return found.map((face, index) => ({
      box: boxOf(face.detection),
      confidence: face.detection.score * 100,
      quality: qualityOf(cuts[index]!, face),
      descriptor: descriptors[index]!,
    }))
  }

  return {
    async describePhoto(image, { withPreview = false } = {}) {
      const pixels = await readPixels(image, PREVIEW_SIDE)
      const { faces: found, unindexed } = await findFaces(networks, pixels)
      const faces: DescribedFace[] = []
      for (const batch of batchesOf(found)) faces.push(...(await describe(pixels, batch)))
      const preview = withPreview && isJpeg(image) ? await encodePreview(pixels, image) : undefined
      return { faces, unindexed, preview }
    },

    async describeSelfie(image, wanted = 0) {
      const pixels = await readPixels(image, PREVIEW_SIDE)
      const { faces: found, unindexed } = await findFaces(networks, pixels, {
        most: MOST_CHOICES,
        isSelfie: true,
      })
      const faces = found.map(({ detection, side }) => ({ box: boxOf(detection), side }))
      const searched = wanted < found.length ? wanted : 0
      const seen = { faces, searched, unindexed }
      if (found.length === 0)
        return { ...seen, described: undefined, pictureBrightness: pictureBrightness(pixels) }
      const [described] = await describe(pixels, [found[searched]!])
      return { ...seen, described }
    },
  }
}
