import sharp from 'sharp'
import { samplePhotos } from '../../src/testing/sample-photos.ts'

/** In the order in which its bytes come: the picture, and a few behind its end that make it unlike every other. */
export type Photo = [picture: Buffer, tail: Buffer]

const CAMERA_WIDTH = 4000

let made = 0

/** Six event photos as a social network hands them out: 1920 pixels wide, 0.2 MB each. */
export function smallPictures(): Buffer[] {
  return samplePhotos()
}

/** The same as a camera writes them: 12 megapixels, 1.1 to 2.4 MB each. */
export async function cameraPictures(): Promise<Buffer[]> {
  return await Promise.all(
    samplePhotos().map((photo) => sharp(photo).resize(CAMERA_WIDTH).jpeg({ quality: 95 }).toBuffer()),
  )
}

/** Photos of these pictures, no two alike in this process: a JPEG may have bytes behind its end. */
export function distinctPhotos(pictures: Buffer[], count: number): Photo[] {
  return Array.from({ length: count }, (_, index) => {
    const tail = Buffer.alloc(8)
    tail.writeBigUInt64BE(BigInt(++made))
    return [pictures[index % pictures.length]!, tail]
  })
}
