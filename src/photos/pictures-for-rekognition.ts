import sharp, { type Metadata } from 'sharp'
import { AppError } from '../errors.ts'
import { unreadablePicture } from '../faces/errors.ts'
import type { BoundingBox } from '../faces/face-index.ts'
import { isTakenAsStored, MIN_SIDE } from './taken-as-stored.ts'

// "Guidelines and quotas in Amazon Rekognition" of the Developer Guide.
const MAX_BYTES = 5 * 1024 * 1024

/** Long sides in pixels, tried in this order for an image that has to be converted. The smallest face that the service
 *  finds is a fraction of the image's size, so fewer pixels lose no face. An image of 2048 pixels of pure noise has
 *  3.5 MB. */
const LONG_SIDES = [4096, 2048]

/** A picture as Rekognition takes it inline: JPEG or PNG of at most 5 MB and at least 80 × 80 pixels, with upright
 *  pixels ("Getting image orientation and bounding box coordinates"). A picture that already has this form stays
 *  byte for byte the same. Others become the same bytes each time, so the service recognises a repeated photo.
 *  @throws AppError UNPROCESSABLE_CONTENT when it cannot be read, or is too small */
export async function uprightImage(image: Buffer): Promise<Buffer> {
  const header = await headerOf(image)
  const { width, height } = header.autoOrient
  if (Math.min(width, height) < MIN_SIDE)
    throw new AppError(
      'UNPROCESSABLE_CONTENT',
      `This picture is too small for face search: ${width} × ${height} pixels. At least ${MIN_SIDE} × ${MIN_SIDE} are needed.`,
    )
  if (image.length <= MAX_BYTES && isTakenAsStored(header)) return image
  for (const side of LONG_SIDES) {
    const pixels = sharp(image, { failOn: 'error', autoOrient: true })
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
    const written = await readable(pixels.jpeg({ quality: 92 }).toBuffer())
    if (written.length <= MAX_BYTES) return written
  }
  throw new AppError('UNPROCESSABLE_CONTENT', 'This picture is too large for face search.')
}

/** Pixels. The service takes no picture with a shorter side than MIN_SIDE, and finds small faces less well. */
const CROPPED_SIDE = 4 * MIN_SIDE

/** A part of a picture, as Rekognition takes it. A small one is enlarged.
 *  @param image as `uprightImage` gave it
 *  @throws AppError UNPROCESSABLE_CONTENT when it cannot be read */
export async function croppedImage(image: Buffer, region: BoundingBox): Promise<Buffer> {
  const { width, height } = await headerOf(image)
  const left = Math.min(Math.floor(region.left * width), width - 1)
  const top = Math.min(Math.floor(region.top * height), height - 1)
  const part = {
    left,
    top,
    width: Math.min(Math.max(1, Math.ceil(region.width * width)), width - left),
    height: Math.min(Math.max(1, Math.ceil(region.height * height)), height - top),
  }
  const enlarged = Math.max(1, CROPPED_SIDE / Math.min(part.width, part.height))
  const pixels = sharp(image, { failOn: 'error' })
    .extract(part)
    .resize(Math.round(part.width * enlarged), Math.round(part.height * enlarged), { fit: 'fill' })
  return await readable(pixels.jpeg({ quality: 92 }).toBuffer())
}

const headerOf = (image: Buffer): Promise<Metadata> => readable(sharp(image).metadata())

async function readable<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding
  } catch (cause) {
    throw unreadablePicture(cause)
  }
}
