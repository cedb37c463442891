import { DetectFacesCommand, type RekognitionClient } from '@aws-sdk/client-rekognition'
import type { Log } from '../../log.ts'
import type { BoundingBox, FaceQuality } from '../face-index.ts'
import { boxOf, qualityOf } from './face-details.ts'
import type { Governor, RunOptions } from './governor.ts'
import { translateFault } from './service-faults.ts'

export interface DetectedFace {
  box: BoundingBox
  quality: FaceQuality
}

/** Faces of a selfie that a visitor can choose from. */
const MOST_CHOICES = 24

/** The faces of a picture, the largest first.
 *  @throws AppError as a face index does */
export type DetectFaces = (picture: Buffer, options?: RunOptions) => Promise<DetectedFace[]>

export function createDetectFaces(options: {
  client: RekognitionClient
  governor: Governor
  log: Log
}): DetectFaces {
  const { client, governor, log } = options
  return async (picture, runOptions) => {
    const detect = (abortSignal: AbortSignal) =>
      client.send(new DetectFacesCommand({ Image: { Bytes: picture } }), { abortSignal })
    try {
      const { FaceDetails = [] } = await governor.run('detect', detect, runOptions)
      return FaceDetails.map((detail) => ({ box: boxOf(detail.BoundingBox), quality: qualityOf(detail) }))
        .sort((one, other) => area(other.box) - area(one.box))
        .slice(0, MOST_CHOICES)
    } catch (error) {
      throw translateFault(error, log)
    }
  }
}

function area({ width, height }: BoundingBox): number {
  return width * height
}
