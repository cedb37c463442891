import type { BoundingBox as AwsBox, FaceDetail } from '@aws-sdk/client-rekognition'
import type { BoundingBox, FaceQuality } from '../face-index.ts'

/** Cut off at the edges: the service's boxes of faces at an edge reach outside the picture ("BoundingBox"). */
export function boxOf({ Left = 0, Top = 0, Width = 0, Height = 0 }: AwsBox = {}): BoundingBox {
  const within = (value: number) => Math.min(Math.max(value, 0), 1)
  const [left, top] = [within(Left), within(Top)]
  return { left, top, width: within(Left + Width) - left, height: within(Top + Height) - top }
}

/** The service returns Quality and Pose with every face that it indexes: they are default attributes
 *  ("DetectionAttributes" of IndexFaces). */
export function qualityOf({ Quality, Pose }: FaceDetail = {}): FaceQuality {
  return {
    sharpness: Quality?.Sharpness ?? null,
    brightness: Quality?.Brightness ?? null,
    yaw: Pose?.Yaw ?? null,
    pitch: Pose?.Pitch ?? null,
    roll: Pose?.Roll ?? null,
  }
}
