import { open } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { PHOTO_MAX_PIXELS } from '../contract/limits.ts'
import { PREVIEW_SIDE, previewOf } from '../faces/preview.ts'
import { isTakenAsStored } from '../faces/taken-as-stored.ts'
import { damagedImage, emptyFile, notAPhoto, tooManyPixels } from './picture-errors.ts'
import { refuseTooManyScans, structureOf } from './picture-structure.ts'
import { HEAD_BYTES, type PhotoMediaType, sniff } from './picture-types.ts'
import { placeholderOf } from './placeholder.ts'
import { takenAt } from './taken-at.ts'

// libvips reads many more types (SVG, PDF, TIFF …), and each is a possible attack. Only the types that a visitor may
// send are allowed.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
})
// One picture at a time, in one thread. More threads in one decode would only wait, because JPEG and PNG are
// unpacked in sequence. Nothing is decoded twice, so libvips' cache would only hold memory.
sharp.concurrency(1)
sharp.cache(false)

/** A tile of an album is at most 317 points wide, or 195 on a phone: 634 pixels on a screen with two pixels a point, and 585
 *  on a phone with three. So one size is sharp everywhere, and `srcset` would only make some browsers load the preview,
 *  which has several times the bytes. */
const THUMBNAIL_SIDE = 640

export interface InspectedPhoto {
  mediaType: PhotoMediaType
  /** Pixels, upright. */
  width: number
  height: number
  /** Whether Amazon Rekognition can read the file as it is stored. */
  isTakenAsStored: boolean
  /** When the camera took it, by its clock: see src/photos/taken-at.ts. */
  takenAt: string | undefined
  /** WEBP, upright, sRGB, at most 640 pixels on its long side, without metadata. */
  thumbnail: Buffer
  /** The colours to show while the photo loads: see src/photos/placeholder.ts. */
  placeholder: Buffer
}

/** Decodes a file once, which proves that all of it is readable, and makes its thumbnail.
 *
 *  Throws AppError BAD_REQUEST for an empty, damaged or incomplete file, UNSUPPORTED_MEDIA_TYPE for anything
 *  but JPEG and PNG, PAYLOAD_TOO_LARGE above 64 megapixels (seen before any pixel is read). `acceptPhoto` has refused
 *  JPEGs with too many scans before. */
export async function inspectPhoto(path: string): Promise<InspectedPhoto> {
  const head = await readHead(path)
  if (head.length === 0) throw emptyFile()
  const mediaType = sniff(head)
  if (mediaType !== 'image/jpeg' && mediaType !== 'image/png') throw notAPhoto()
  const { image, header } = await openImage(path)
  const { thumbnail, placeholder } = await readable(makeThumbnail(image))
  const { width, height } = header.autoOrient
  return {
    mediaType,
    width,
    height,
    isTakenAsStored: isTakenAsStored(header),
    takenAt: takenAt(header.exif),
    thumbnail,
    placeholder,
  }
}

/** A stored photo's thumbnail for the grid, as `inspectPhoto` makes it. */
export async function renderThumbnail(original: Buffer): Promise<Buffer> {
  const { image } = await openImage(original)
  return (await readable(makeThumbnail(image))).thumbnail
}

/** The placeholder of a photo that was stored without one. */
export async function placeholderOfThumbnail(thumbnail: Buffer): Promise<Buffer> {
  return placeholderOf(await readable(sharp(thumbnail).raw().toBuffer({ resolveWithObject: true })))
}

/** A stored photo as a guest sees it on a screen: JPEG of at most PREVIEW_SIDE pixels, upright, sRGB, on white, without
 *  metadata. The embedded engine makes the same of the pixels in which it looks for faces. */
export async function renderPreview(original: Buffer): Promise<Buffer> {
  const { image } = await openImage(original)
  const pixels = image
    .resize(PREVIEW_SIDE, PREVIEW_SIDE, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
    .flatten({ background: 'white' })
  return readable(previewOf(pixels))
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

/** More pixels of one face do not help a face engine. A JPEG of this size and quality is always below the 5 MB that
 *  Rekognition takes: pure noise gives 3.6 MB. libjpeg decodes a phone's 4032 pixels at half scale for it, which it does
 *  not for 2048. With that, the linear kernel and no optimised Huffman tables such a selfie takes 46 ms instead of 79. */
const SELFIE_SIDE = 2000

/** A JPEG, PNG, GIF or WEBP as the face index takes it: JPEG of at most 5 MB and 2000 pixels on its long side, the
 *  first frame, upright, on white, without metadata. Throws as `inspectPhoto` does for damaged and large pictures, and
 *  PAYLOAD_TOO_LARGE above 32 scans. */
export async function renderSelfie(bytes: Buffer): Promise<Buffer> {
  refuseTooManyScans(structureOf(bytes))
  const { image } = await openImage(bytes)
  return readable(
    image
      .resize(SELFIE_SIDE, SELFIE_SIDE, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
      .flatten({ background: 'white' })
      .jpeg({ quality: 90, optimiseCoding: false })
      .toBuffer(),
  )
}

/** Opens the first frame of an image whose type is known. Rendering makes it upright and sRGB. Throws as
 *  `inspectPhoto` does. The pixels are read when the image is rendered, inside `readable`. */
async function openImage(input: string | Buffer): Promise<{ image: Sharp; header: Metadata }> {
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
async function readable<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding
  } catch (error) {
    throw damagedImage(error)
  }
}

/** The encoder's second lowest effort is as fast as JPEG, and the file is a third smaller at the same quality. The
 *  placeholder takes 0.8 ms more, since the pixels are there. */
async function makeThumbnail(image: Sharp): Promise<Pick<InspectedPhoto, 'thumbnail' | 'placeholder'>> {
  const pixels = await image
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const thumbnail = await sharp(pixels.data, { raw: pixels.info }).webp({ quality: 75, effort: 1 }).toBuffer()
  return { thumbnail, placeholder: placeholderOf(pixels) }
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
