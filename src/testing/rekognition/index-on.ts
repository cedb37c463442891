import type { FaceIndex } from '../../faces/face-index.ts'
import type { Pictures } from '../../faces/pictures.ts'
import {
  createRekognitionFaceIndex,
  type RekognitionOptions,
} from '../../faces/rekognition/rekognition-face-index.ts'
import { createLog } from '../../log.ts'
import { croppedImage, uprightImage } from '../../photos/pictures-for-rekognition.ts'
import type { StandIn } from './stand-in.ts'

/** Decodes pictures in the process of the test. */
export const PICTURES_HERE: Pictures = {
  upright: (image) => uprightImage(image),
  cropped: (image, region) => croppedImage(image, region),
}

/** The face index on a stand-in for Amazon Rekognition. It makes each call immediately, and by default repeats none. It knows
 *  nothing of any face, unless there are records. */
export function indexOn(
  { endpoint, region, credentials }: StandIn,
  { client, ...options }: Partial<RekognitionOptions> = {},
): Promise<FaceIndex> {
  return createRekognitionFaceIndex({
    pictures: PICTURES_HERE,
    records: async () => new Map(),
    photosPerSecond: 1_000_000,
    log: createLog('silent'),
    ...options,
    client: { endpoint, region, credentials, maxAttempts: 1, ...client },
  })
}
