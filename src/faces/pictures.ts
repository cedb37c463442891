import type { BoundingBox } from './face-index.ts'

/** Decodes pictures for an engine that cannot, outside of the process that asks. */
export interface Pictures {
  /** A picture as Rekognition takes it, with upright pixels.
   *  @param kind `view` when a person waits for it */
  upright(image: Buffer, kind: 'view' | 'index'): Promise<Buffer>
  /** A part of such a picture, for a person who waits. */
  cropped(image: Buffer, region: BoundingBox): Promise<Buffer>
}
