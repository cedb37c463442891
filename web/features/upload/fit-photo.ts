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
/** A photo that takes this share of the limit is large enough. */
const ENOUGH = 0.88
/** Tries at the least quality: to find the largest size that fits, and to find any size that fits. */
const USUAL_TRIES = 3
const MOST_TRIES = 10

/** Encodes a picture at the largest size that fits: with all its pixels at the best quality, or else at the least
 *  quality with as many pixels as fit.
 *  @throws Error when no try fits. */
export async function fitPhoto(original: PictureSize, limits: PhotoLimits, encode: Encode): Promise<Blob> {
  const full = Math.min(original.width * original.height, limits.pixels)
  const best = await encode(sizeWith(original, full), BEST_QUALITY)
  if (best.size <= limits.bytes) return best

  const aim = limits.bytes * AIM
  let pixels = Math.min(full, (full * aim) / (best.size * LEAST_PER_BEST))
  let growth = 1
  let last: Measured | null = null
  let fitting: Blob | null = null
  for (let tries = 1; tries <= (fitting ? USUAL_TRIES : MOST_TRIES); tries++) {
    const photo = await encode(sizeWith(original, pixels), LEAST_QUALITY)
    if (photo.size <= limits.bytes) {
      if (!fitting || photo.size > fitting.size) fitting = photo
      if (pixels === full || photo.size >= limits.bytes * ENOUGH) break
    }
    if (last && last.pixels !== pixels) growth = growthBetween(last, { pixels, bytes: photo.size })
    last = { pixels, bytes: photo.size }
    pixels = Math.min(full, pixels * (aim / photo.size) ** (1 / growth))
  }
  if (!fitting) throw new Error('No size of this photo fits')
  return fitting
}

type Measured = { pixels: number; bytes: number }

/** How bytes grow with pixels: 1 in proportion, less where a smaller picture has more detail in each pixel. */
function growthBetween(a: Measured, b: Measured): number {
  const growth = Math.log(a.bytes / b.bytes) / Math.log(a.pixels / b.pixels)
  return Math.min(1.5, Math.max(0.5, growth))
}

/** The same shape with at most this many pixels. */
function sizeWith({ width, height }: PictureSize, pixels: number): PictureSize {
  const scale = Math.min(1, Math.sqrt(pixels / (width * height)))
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}
