import sharp from 'sharp'
import { samplePhotos } from '../../src/testing/sample-photos.ts'

/** The two parts of a photo's bytes: the picture, and a tail that makes the photo different from all others. */
export type DistinctPhoto = [picture: Buffer, tail: Buffer]

const CAMERA_WIDTH = 4000

let made = 0

/** Six event photos at the size of a social network: 1920 pixels wide, 0.2 MB each. */
export function smallPictures(): Buffer[] {
  return samplePhotos()
}

/** The same photos at the size of a camera: 12 megapixels, 1.1 to 2.4 MB each. */
export async function cameraPictures(): Promise<Buffer[]> {
  return await Promise.all(
    samplePhotos().map((photo) => sharp(photo).resize(CAMERA_WIDTH).jpeg({ quality: 95 }).toBuffer()),
  )
}

/** Photos of these pictures, each different from all others in this process: a JPEG may have bytes after its end. */
export function distinctPhotos(pictures: Buffer[], count: number): DistinctPhoto[] {
  return Array.from({ length: count }, (_, index) => {
    const tail = Buffer.alloc(8)
    tail.writeBigUInt64BE(BigInt(++made))
    return [pictures[index % pictures.length]!, tail]
  })
}
