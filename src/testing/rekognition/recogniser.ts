import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { DescribedFace } from '../../faces/embedded/networks/engine.ts'

/** A face in an image. `unindexed` has the reasons why IndexFaces leaves it out: names from UnindexedFace in the API
 *  Reference. */
export interface RecognisedFace extends DescribedFace {
  unindexed?: string[]
}

export type Recognise = (image: Buffer) => Promise<RecognisedFace[]>

/** Recognises faces with the embedded engine. It ignores the orientation in the EXIF header, so that a test
 *  fails when a client forgets to rotate the pixels.
 *  @param describe a loaded engine, or one in a process of its own */
export function recogniseWith(describe: (image: Buffer) => Promise<DescribedFace[]>): Recognise {
  // Tests send the same few photos again and again.
  const known = new Map<string, Promise<DescribedFace[]>>()
  const describeUnrotated = async (image: Buffer) => {
    const { orientation = 1 } = await sharp(image).metadata()
    return describe(orientation === 1 ? image : await sharp(image).png().toBuffer())
  }
  return (image) => {
    const hash = imageHash(image)
    const faces = known.get(hash) ?? describeUnrotated(image)
    known.set(hash, faces)
    return faces
  }
}

/** Looks faces up in a table instead of decoding images. Images that are not in the table have no faces.
 *  @param table by `imageHash` of the exact bytes that the service receives */
export function recogniseFromTable(table: Map<string, RecognisedFace[]>): Recognise {
  return async (image) => table.get(imageHash(image)) ?? []
}

export function imageHash(image: Buffer): string {
  return createHash('sha256').update(image).digest('hex')
}
