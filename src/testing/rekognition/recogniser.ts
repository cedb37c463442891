import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { DescribedFace } from '../../faces/embedded/engine.ts'

/** A face in an image, and why IndexFaces leaves it out, if it does: one of the names under UnindexedFace in the
 *  API Reference. */
export interface RecognisedFace extends DescribedFace {
  unindexed?: string[]
}

export type Recognise = (image: Buffer) => Promise<RecognisedFace[]>

/** Faces as the embedded engine sees them, in the pixels as they lie: the orientation of an EXIF header is not
 *  looked at, so that a client which has not baked it in finds it out.
 *  @param describe a loaded engine, or worker threads */
export function recogniseWith(describe: (image: Buffer) => Promise<DescribedFace[]>): Recognise {
  // Tests send the same few photos again and again.
  const known = new Map<string, Promise<DescribedFace[]>>()
  const describeAsItLies = async (image: Buffer) => {
    const { orientation = 1 } = await sharp(image).metadata()
    return describe(orientation === 1 ? image : await sharp(image).png().toBuffer())
  }
  return (image) => {
    const hash = imageHash(image)
    const faces = known.get(hash) ?? describeAsItLies(image)
    known.set(hash, faces)
    return faces
  }
}

/** Faces that the test has given to images beforehand: nothing is decoded. Unknown images have none.
 *  @param table by `imageHash` of the very bytes that the service receives */
export function recogniseFromTable(table: Map<string, RecognisedFace[]>): Recognise {
  return async (image) => table.get(imageHash(image)) ?? []
}

export function imageHash(image: Buffer): string {
  return createHash('sha256').update(image).digest('hex')
}
