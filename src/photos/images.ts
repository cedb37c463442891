import { open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { PHOTO_MAX_PIXELS } from '../contract/limits.ts'
import { ONLY_JPEG_AND_PNG } from '../contract/wording.ts'
import type { Photo } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { isTakenAsStored } from '../faces/taken-as-stored.ts'
import { createGate } from '../gate.ts'
import { refuseTooManyScans, structureOfFile } from './picture-structure.ts'

// libvips reads many more types (SVG, PDF, TIFF …), and each is a possible attack. Only the types that a visitor may
// send are allowed.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
})
// Many photos at once, with one thread each. More threads in one decode would only wait, because JPEG and PNG are
// unpacked in sequence. Nothing is decoded twice, so libvips' cache would only hold memory.
sharp.concurrency(1)
sharp.cache(false)

/** sharp uses libuv's pool of four threads, which the disk and DNS also need. So uploads never use all of them. */
const inspecting = createGate(Math.min(availableParallelism(), 3))

/** A phone that is 430 × 3 pixels wide shows three columns, so the short side needs 430 pixels. */
const THUMBNAIL_SIDE = 640
export const THUMBNAIL_MEDIA_TYPE = 'image/webp'

/** As long as the longest signature that `sniff` knows. */
const HEAD_BYTES = 12

export type PhotoMediaType = Photo['media_type']

/** The image type by content, not by the file's name.
 *  @param head the first 12 bytes, or more */
export function sniff(head: Buffer): PhotoMediaType | 'image/gif' | 'image/webp' | undefined {
  const latin = head.toString('latin1', 0, HEAD_BYTES)
  if (latin.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (latin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (latin.startsWith('GIF87a') || latin.startsWith('GIF89a')) return 'image/gif'
  if (latin.startsWith('RIFF') && latin.startsWith('WEBP', 8)) return 'image/webp'
  return undefined
}

export interface InspectedPhoto {
  mediaType: PhotoMediaType
  /** Pixels, upright. */
  width: number
  height: number
  /** Whether Amazon Rekognition can read the file as it is stored. */
  isTakenAsStored: boolean
  /** WEBP, upright, sRGB, at most 640 pixels on its long side, without metadata. */
  thumbnail: Buffer
}

/** Decodes a file once, which proves that all of it is readable, and makes its thumbnail.
 *
 *  Throws AppError BAD_REQUEST for an empty, damaged or incomplete file, UNSUPPORTED_MEDIA_TYPE for anything
 *  but JPEG and PNG, PAYLOAD_TOO_LARGE above 64 megapixels or 32 scans (both are seen before any pixel is read). */
export async function inspectPhoto(path: string): Promise<InspectedPhoto> {
  const head = await readHead(path)
  if (head.length === 0) throw emptyFile()
  const mediaType = sniff(head)
  if (mediaType !== 'image/jpeg' && mediaType !== 'image/png') throw notAPhoto()
  return inspecting(async () => {
    refuseTooManyScans(await structureOfFile(path))
    const { image, header } = await openImage(path)
    const thumbnail = await readable(makeThumbnail(image))
    const { width, height } = header.autoOrient
    return { mediaType, width, height, isTakenAsStored: isTakenAsStored(header), thumbnail }
  })
}

/** A stored photo's thumbnail for the grid, as `inspectPhoto` makes it. */
export async function renderThumbnail(original: Buffer): Promise<Buffer> {
  const { image } = await openImage(original)
  return readable(makeThumbnail(image))
}

/** The photo that a guest receives at full size: every pixel, upright, sRGB, no metadata, in the original's format. A
 *  JPEG keeps its chroma subsampling. At quality 92 the difference to the original is invisible (above 48 dB on the
 *  sample photos). */
export async function renderFull(original: Buffer): Promise<Buffer> {
  const { image, header } = await openImage(original)
  if (header.format === 'png') return readable(image.png().toBuffer())
  const chromaSubsampling = header.chromaSubsampling === '4:2:0' ? '4:2:0' : '4:4:4'
  // Optimised Huffman tables would save 3%, but need twice the time and 1 GB at the limit.
  return readable(image.jpeg({ quality: 92, chromaSubsampling, optimiseCoding: false }).toBuffer())
}

/** Opens the first frame of an image whose type is known. Rendering makes it upright and sRGB. Throws as
 *  `inspectPhoto` does. The pixels are read when the image is rendered, inside `readable`. */
export async function openImage(input: string | Buffer): Promise<{ image: Sharp; header: Metadata }> {
  const header = await readable(sharp(input, { limitInputPixels: false }).metadata())
  if (header.width * header.height > PHOTO_MAX_PIXELS) throw tooManyPixels(header)
  // 'error' refuses images that are cut short or cannot be decoded. 'warning' would also refuse photos that every
  // viewer shows (Samsung's cameras write "Invalid SOS parameters"). It would not find changed bytes in a baseline
  // JPEG either, because every bit pattern there is a picture.
  return {
    image: sharp(input, { failOn: 'error', limitInputPixels: PHOTO_MAX_PIXELS, autoOrient: true }),
    header,
  }
}

/** Turns a failed decoding into an error for the visitor. */
export async function readable<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding
  } catch (error) {
    throw damagedImage(error)
  }
}

/** The encoder's second lowest effort is as fast as JPEG, and the file is a third smaller at the same quality. */
function makeThumbnail(image: Sharp): Promise<Buffer> {
  return image
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .webp({ quality: 75, effort: 1 })
    .toBuffer()
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 })
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export const emptyFile = () => new AppError('BAD_REQUEST', 'The file is empty')

export const notAPhoto = () => new AppError('UNSUPPORTED_MEDIA_TYPE', ONLY_JPEG_AND_PNG)

export const tooManyPixels = ({ width, height }: { width: number; height: number }) =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The image is too large: ${width} × ${height} pixels. At most ${PHOTO_MAX_PIXELS / 1e6} megapixels can be processed`,
  )

export const damagedImage = (cause?: unknown) =>
  new AppError('BAD_REQUEST', 'The image is damaged or incomplete', { cause })
