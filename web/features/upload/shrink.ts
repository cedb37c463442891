/** What a smaller copy of a photo is like: its size, and what of its camera it keeps. */
import { cameraIn } from '../../../src/contract/camera.ts'
import { cameraTime, exifSegment } from '../../../src/contract/camera-time.ts'

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

/** Bytes. Cameras write what they know about a photo near the beginning of the file. */
const HEAD_BYTES = 1_000_000
/** Of Exif data in a JPEG. */
const EXIF_MAX_BYTES = 65_533

/** What a copy may grow by. */
export const CAMERA_TIME_MAX_BYTES = 250

/** A smaller copy of a photo, with its camera and the time at which that took it. Drawing a picture again loses that.
 *  @param copy a JPEG without Exif data
 *  @param original a JPEG or HEIC; of other files, and without both, the copy stays as it is */
export async function withCameraTime(copy: Blob, original: Blob): Promise<Blob> {
  const head = await original.slice(0, HEAD_BYTES).arrayBuffer()
  const text = new TextDecoder('latin1').decode(head)
  const mark = text.search(/Exif\0\0(?=II\*\0|MM\0\*)/)
  const exif = mark < 0 ? undefined : asBuffer(new Uint8Array(head.slice(mark, mark + EXIF_MAX_BYTES)))
  const time = cameraTime(exif, text)
  const camera = cameraIn(exif)
  if (!time && !camera) return copy
  return new Blob([copy.slice(0, 2), exifSegment(time, camera), copy.slice(2)], { type: copy.type })
}

/** Bytes with what the reader uses of Node's Buffer. */
function asBuffer(bytes: Uint8Array): Buffer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Object.assign(bytes, {
    slice: (start: number, end: number) => asBuffer(bytes.subarray(start, end)),
    toString: (_encoding: string, start = 0, end = bytes.length) =>
      new TextDecoder('latin1').decode(bytes.subarray(start, end)),
    readInt8: (at: number) => view.getInt8(at),
    readUInt16BE: (at: number) => view.getUint16(at),
    readUInt16LE: (at: number) => view.getUint16(at, true),
    readInt16BE: (at: number) => view.getInt16(at),
    readInt16LE: (at: number) => view.getInt16(at, true),
    readUInt32BE: (at: number) => view.getUint32(at),
    readUInt32LE: (at: number) => view.getUint32(at, true),
    readInt32BE: (at: number) => view.getInt32(at),
    readInt32LE: (at: number) => view.getInt32(at, true),
  }) as unknown as Buffer
}
