import sharp from 'sharp'
import { samplePhotos } from '../../src/testing/sample-photos.ts'

/** The two parts of a photo's bytes: the picture, and a tail that makes the photo different from all others. */
export type DistinctPhoto = [picture: Buffer, tail: Buffer]

const CAMERA_WIDTH = 4000
/** With it a photo of 11 to 24 megapixels has 2 to 6 MB. */
const GRAIN = 12

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

/** The same photos as large as cameras make them, 4,000 to 6,000 pixels wide, with the grain of a camera's sensor. Without
 *  it an enlarged photo has few details, and is decoded faster. */
export async function grainyPictures(): Promise<Buffer[]> {
  return await Promise.all(
    samplePhotos().map(async (photo, index) => {
      const { data, info } = await sharp(photo)
        .resize(CAMERA_WIDTH + 400 * index)
        .raw()
        .toBuffer({ resolveWithObject: true })
      addGrain(data)
      const { width, height } = info
      return await sharp(data, { raw: { width, height, channels: 3 } })
        .jpeg({ quality: 88 })
        .toBuffer()
    }),
  )
}

/** Adds up to GRAIN to each byte, or takes it away: always the same, so that runs can be compared. */
function addGrain(pixels: Buffer): void {
  let random = 7
  for (let at = 0; at < pixels.length; at++) {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
    const grain = ((random >>> 16) % (2 * GRAIN + 1)) - GRAIN
    pixels[at] = Math.min(255, Math.max(0, pixels[at]! + grain))
  }
}

/** Photos of these pictures, each different from all others in this process: a JPEG may have bytes after its end. */
export function distinctPhotos(pictures: Buffer[], count: number): DistinctPhoto[] {
  return Array.from({ length: count }, (_, index) => {
    const tail = Buffer.alloc(8)
    tail.writeBigUInt64BE(BigInt(++made))
    return [pictures[index % pictures.length]!, tail]
  })
}
