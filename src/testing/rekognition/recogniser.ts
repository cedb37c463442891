import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { DESCRIPTOR_LENGTH } from '../../faces/embedded/descriptors.ts'
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

/** A face for a table. A person always has the same descriptor; those of different people are far apart.
 *  @param person a number from 0
 *  @param size the width and height of its box, in fractions of the picture */
export function faceOf(person: number, size = 0.1): RecognisedFace {
  const descriptor = new Float32Array(DESCRIPTOR_LENGTH)
  // Each bit of the number chooses one of two places, so any two people are at least as far apart as strangers.
  for (let bit = 0; bit < 16; bit++) descriptor[bit * 2 + ((person >> bit) & 1)] = 0.9
  return {
    box: { left: 0.2, top: 0.2, width: size, height: size },
    confidence: 99.9,
    quality: { sharpness: 78.5, brightness: 61.5, yaw: -24.5, pitch: -9.5, roll: 4.5 },
    descriptor,
  }
}

/** A small JPEG that is different for each number. Those of neighbouring numbers may be equal. */
export function numberedPicture(number: number, side = 80): Promise<Buffer> {
  const background = { r: number & 255, g: (number >> 8) & 255, b: (number >> 16) & 255 }
  return sharp({ create: { width: side, height: side, channels: 3, background } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer()
}
