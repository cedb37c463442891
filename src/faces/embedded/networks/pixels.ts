import sharp, { type Region, type Sharp } from 'sharp'
import { unreadablePicture } from '../../errors.ts'
import { previewOf } from '../../preview.ts'
import { withTimeForGuests } from '../../time-for-guests.ts'

// The cache would only hold memory, because nothing is decoded twice.
sharp.cache(false)

/** RGB, one byte a channel, row by row, upright. */
export interface Pixels {
  data: Uint8Array
  width: number
  height: number
}

const GREY = { r: 128, g: 128, b: 128 }

/** 100 megapixels: above any camera that writes 5 MB files, and 400 MB at most while decoding a PNG. */
const MAX_PIXELS = 100_000_000

/** Decodes a JPEG or PNG upright, as sRGB without alpha, shrunk to `longSide` pixels if larger.
 *  Throws AppError UNPROCESSABLE_CONTENT for any other bytes, and for a damaged or incomplete picture. */
export async function readPixels(image: Uint8Array, longSide: number): Promise<Pixels> {
  // Checked here and not by sharp.block, which applies to the whole process, where other modules read other types.
  if (!isJpeg(image) && !isPng(image)) throw unreadablePicture()
  try {
    return await pixelsOf(
      sharp(image, { failOn: 'error', limitInputPixels: MAX_PIXELS })
        .autoOrient()
        .resize(longSide, longSide, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
        .flatten({ background: GREY })
        .toColourspace('srgb'),
    )
  } catch (cause) {
    throw unreadablePicture(cause)
  }
}

/** The mean luma of a picture, 0–100 (ITU-R BT.601). */
export function pictureBrightness({ data }: Pixels): number {
  let sum = 0
  for (let at = 0; at < data.length; at += 3)
    sum += 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!
  return (100 * sum) / (data.length / 3) / 255
}

/** The preview of a photo with these pixels.
 *  @param original says when it was taken */
export async function encodePreview(pixels: Pixels, original: Uint8Array): Promise<Buffer> {
  const preview = await previewOf(imageOf(pixels))
  return withTimeForGuests(preview, await sharp(original).metadata())
}

/** Adds a grey margin to every side, `margin` times the long side of the picture, and scales the result to `longSide`
 *  pixels. */
export function scalePixels(pixels: Pixels, longSide: number, margin: number): Promise<Pixels> {
  const inner = Math.round(longSide / (1 + 2 * margin))
  const edge = Math.round(inner * margin)
  return pixelsOf(
    imageOf(pixels)
      .resize(inner, inner, { fit: 'inside', kernel: 'linear' })
      .extend({ top: edge, bottom: edge, left: edge, right: edge, background: GREY }),
  )
}

/** Turns a picture clockwise. The corners that this adds are grey. */
export function turnPixels(pixels: Pixels, degrees: number): Promise<Pixels> {
  return pixelsOf(imageOf(pixels).rotate(degrees, { background: GREY }))
}

/** A part of a picture. Below and to the right of the picture it is black. */
export function partOf({ data, ...picture }: Pixels, { left, top, width, height }: Region): Pixels {
  const part = new Uint8Array(width * height * 3)
  const length = Math.min(width, picture.width - left) * 3
  for (let row = 0; row < Math.min(height, picture.height - top); row++) {
    const from = ((top + row) * picture.width + left) * 3
    part.set(data.subarray(from, from + length), row * width * 3)
  }
  return { data: part, width, height }
}

function imageOf({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } })
}

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

export const isJpeg = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff

function isPng(bytes: Uint8Array): boolean {
  return bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47
}
