import { DetectFacesCommand } from '@aws-sdk/client-rekognition'
import type { Log } from '../../log.ts'
import type { BoundingBox, FaceQuality } from '../face-index.ts'
import type { CallOptions, Calls } from './calls.ts'
import { boxOf, qualityOf } from './face-details.ts'
import { translateFault } from './service-faults.ts'

export interface DetectedFace {
  box: BoundingBox
  quality: FaceQuality
}

/** Faces of a selfie that a visitor can choose from. */
const MOST_CHOICES = 24

/** The faces of a picture, the largest first.
 *  @throws AppError as a face index does */
export type DetectFaces = (picture: Buffer, options?: CallOptions) => Promise<DetectedFace[]>

export function createDetectFaces({ calls, log }: { calls: Calls; log: Log }): DetectFaces {
  return async (picture, callOptions) => {
    const command = new DetectFacesCommand({ Image: { Bytes: picture } })
    try {
      const { FaceDetails = [] } = await calls.send(
        'search',
        (client, options) => client.send(command, options),
        callOptions,
      )
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
