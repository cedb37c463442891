/** In pixels. */
export interface PictureSize {
  width: number
  height: number
}

/** Gives the picture in this size as a JPEG of this quality (0 to 1). */
export type Encode = (size: PictureSize, quality: number) => Promise<Blob>

export interface PhotoLimits {
  bytes: number
  pixels: number
}

/** No visible loss. */
const BEST_QUALITY = 0.92
/** Below this, faces show blocks: then fewer pixels look better. */
const LEAST_QUALITY = 0.85
/** Bytes at the least quality for each byte at the best one. Event photos have 0.6 to 0.7. */
const LEAST_PER_BEST = 0.65
/** The share of the limit that a prediction aims at. */
const AIM = 0.96
const MOST_TRIES = 10

/** Encodes a picture as large as fits: with all its pixels at the best quality, or else at the least quality with as many
 *  pixels as fit, predicted from the try before.
 *  @throws Error when no try fits. */
export async function fitPhoto(original: PictureSize, limits: PhotoLimits, encode: Encode): Promise<Blob> {
  let pixels = Math.min(original.width * original.height, limits.pixels)
  const best = await encode(sizeWith(original, pixels), BEST_QUALITY)
  if (best.size <= limits.bytes) return best
  let expected = best.size * LEAST_PER_BEST
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    pixels = Math.min(pixels, (pixels * limits.bytes * AIM) / expected)
    const photo = await encode(sizeWith(original, pixels), LEAST_QUALITY)
    if (photo.size <= limits.bytes) return photo
    expected = photo.size
  }
  throw new Error('No size of this photo fits')
}

/** The same shape with at most this many pixels. */
function sizeWith({ width, height }: PictureSize, pixels: number): PictureSize {
  const scale = Math.min(1, Math.sqrt(pixels / (width * height)))
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}
