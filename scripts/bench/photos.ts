import sharp from 'sharp'
import { samplePhotos } from '../../src/testing/sample-photos.ts'

const CAMERA_WIDTH = 4000
/** With it a photo of 11 to 24 megapixels has 2 to 6 MB. */
const GRAIN = 12

let made = 0

/** The six event photos at the size of a camera: 12 megapixels, 1.1 to 2.4 MB each. */
export function cameraPictures(): Promise<Buffer[]> {
  return Promise.all(
    samplePhotos().map((photo) => sharp(photo).resize(CAMERA_WIDTH).jpeg({ quality: 95 }).toBuffer()),
  )
}

/** The same photos as large as cameras make them, 4,000 to 6,000 pixels wide, with the grain of a camera's sensor. Without
 *  it an enlarged photo has few details, and is decoded faster. */
export function grainyPictures(): Promise<Buffer[]> {
  return Promise.all(
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

/** A photo that is different from all others in this process: a JPEG may have bytes after its end. */
export function distinct(picture: Buffer): Buffer {
  const tail = Buffer.alloc(8)
  tail.writeBigUInt64BE(BigInt(++made))
  return Buffer.concat([picture, tail])
}
