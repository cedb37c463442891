import { appendFile, readFile, truncate } from 'node:fs/promises'
import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp'
import { cameraIn } from '../contract/camera.ts'
import { PHOTO_MAX_PIXELS } from '../contract/limits.ts'
import { PREVIEW_SIDE, previewOf } from '../faces/preview.ts'
import { timeIn, withTimeForGuests } from '../faces/time-for-guests.ts'
import { END_OF_JPEG, endOfPicture, isAlmostWhole } from './picture-end.ts'
import { damagedImage, emptyFile, notAPhoto, takesTooLong, tooManyPixels } from './picture-errors.ts'
import { FULL_MAX_BYTES, fullMediaType, type PhotoMediaType, sniff } from './picture-types.ts'
import { isTakenAsStored } from './taken-as-stored.ts'

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
  /** Bytes of the picture. */
  size: number
  /** Pixels, upright. */
  width: number
  height: number
  /** Whether Amazon Rekognition can read the file as it is stored. */
  isTakenAsStored: boolean
  /** When the camera took it, by its clock, such as `2025-08-19T14:03:22`, and its offset from UTC if it is known. */
  takenAt: string | undefined
  camera: string | undefined
  /** Whether its last rows are missing, or only the mark at its end. */
  isCutShort: boolean
  /** WEBP, upright, sRGB, at most 640 pixels on its long side, without metadata. */
  thumbnail: Buffer
  /** The colours to show while the photo loads: see `placeholderOf`. */
  placeholder: Buffer
}

/** Decodes a file once, which proves that all of it is readable, and makes its thumbnail. Cuts off what comes after the
 *  picture's end. A JPEG without an end that is almost whole gets the mark of its end, so that every program reads it.
 *
 *  Throws AppError BAD_REQUEST for an empty, damaged or incomplete file, UNSUPPORTED_MEDIA_TYPE for anything
 *  but JPEG and PNG, PAYLOAD_TOO_LARGE above 64 megapixels (seen before any pixel is read), UNPROCESSABLE_CONTENT for a
 *  header that takes too long. */
export async function inspectPhoto(path: string): Promise<InspectedPhoto> {
  const sent = await readFile(path)
  if (sent.length === 0) throw emptyFile()
  const mediaType = sniff(sent)
  if (mediaType !== 'image/jpeg' && mediaType !== 'image/png') throw notAPhoto()
  const end = endOfPicture(sent)
  const isCutShort = mediaType === 'image/jpeg' && end === undefined
  const bytes = isCutShort ? Buffer.concat([sent, END_OF_JPEG]) : sent.subarray(0, end)
  const { image, header } = await openImage(bytes)
  if (isCutShort && !(await isAlmostWhole(bytes))) throw damagedImage()
  const { thumbnail, placeholder } = await readable(makeThumbnail(image))
  if (isCutShort) await appendFile(path, END_OF_JPEG)
  else if (bytes.length < sent.length) await truncate(path, bytes.length)
  const { width, height } = header.autoOrient
  const time = timeIn(header)
  return {
    mediaType,
    size: bytes.length,
    width,
    height,
    isTakenAsStored: isTakenAsStored(header),
    takenAt: time && time.takenAt + (time.offset ?? ''),
    camera: cameraIn(header.exif),
    isCutShort,
    thumbnail,
    placeholder,
  }
}

/** A stored photo's thumbnail for the grid, as `inspectPhoto` makes it. */
export async function renderThumbnail(original: Buffer): Promise<Buffer> {
  const { image } = await openImage(original)
  return (await readable(makeThumbnail(image))).thumbnail
}

/** A stored photo as a guest sees it on a screen: JPEG of at most PREVIEW_SIDE pixels, upright, sRGB, on white, without
 *  metadata but the time at which it was taken. The embedded engine makes the same of the pixels in which it looks for
 *  faces. */
export async function renderPreview(original: Buffer): Promise<Buffer> {
  const { image, header } = await openImage(original)
  const pixels = image
    .resize(PREVIEW_SIDE, PREVIEW_SIDE, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
    .flatten({ background: 'white' })
  return withTimeForGuests(await readable(previewOf(pixels)), header)
}

/** The photo that a guest receives at full size: every pixel, upright, sRGB, no metadata but the time at which it
 *  was taken, of the type that fullMediaType names. A JPEG keeps its chroma subsampling, and is on white. At quality 92 the
 *  difference to the original is invisible (above 48 dB on the sample photos). No photo of a camera comes near
 *  FULL_MAX_BYTES. A picture that was made to exceed it is as large as its preview. */
export async function renderFull(original: Buffer): Promise<Buffer> {
  const { image, header } = await openImage(original)
  const media_type = header.format === 'png' ? 'image/png' : 'image/jpeg'
  if (fullMediaType({ media_type, ...header.autoOrient }) === 'image/png')
    return withTimeForGuests(await readable(image.png().toBuffer()), header)
  const chromaSubsampling = header.chromaSubsampling === '4:2:0' ? '4:2:0' : '4:4:4'
  // Optimised Huffman tables would save 3%, but need twice the time and 1 GB at the limit.
  const options = { quality: 92, chromaSubsampling, optimiseCoding: false }
  const jpeg = await readable(image.flatten({ background: 'white' }).jpeg(options).toBuffer())
  const full = withTimeForGuests(jpeg, header)
  return full.length <= FULL_MAX_BYTES ? full : await renderPreview(original)
}

/** More pixels of one face do not help a face engine. A JPEG of this size and quality is always below the 5 MB that
 *  Rekognition takes: pure noise gives 3.6 MB. libjpeg decodes a phone's 4032 pixels at half scale for it, which it does
 *  not for 2048. With that, the linear kernel and no optimised Huffman tables such a selfie takes 46 ms instead of 79. */
const SELFIE_SIDE = 2000

/** A JPEG, PNG, GIF or WEBP as the face index takes it: JPEG of at most 5 MB and 2000 pixels on its long side, the
 *  first frame, upright, on white, without metadata. Throws as `inspectPhoto` does for damaged and large pictures. */
export async function renderSelfie(bytes: Buffer): Promise<Buffer> {
  const { image } = await openImage(bytes)
  return readable(
    image
      .resize(SELFIE_SIDE, SELFIE_SIDE, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
      .flatten({ background: 'white' })
      .jpeg({ quality: 90, optimiseCoding: false })
      .toBuffer(),
  )
}

/** Microseconds of processor time that a header may take. That of a camera takes some thousand. One made for it takes seconds
 *  each time the file is opened: a directory of 65 KB that points at itself 3 s, 5 MB of compressed texts 2 s. */
const HEADER_MAX_TIME = 500_000

/** Opens the first frame of an image whose type is known. Rendering makes it upright and sRGB, and leaves out what is not
 *  needed to show it. Throws as `inspectPhoto` does. The pixels are read when the image is rendered, inside `readable`. */
async function openImage(bytes: Buffer): Promise<{ image: Sharp; header: Metadata }> {
  const before = process.cpuUsage()
  const header = await readable(sharp(bytes, { limitInputPixels: false }).metadata())
  const { user, system } = process.cpuUsage(before)
  if (user + system > HEADER_MAX_TIME) throw takesTooLong()
  if (header.width * header.height > PHOTO_MAX_PIXELS) throw tooManyPixels(header)
  // 'error' refuses images that are cut short or cannot be decoded. 'warning' would also refuse photos that every
  // viewer shows (Samsung's cameras write "Invalid SOS parameters"). It would not find changed bytes in a baseline
  // JPEG either, because every bit pattern there is a picture.
  const image = sharp(bytes, { failOn: 'error', limitInputPixels: PHOTO_MAX_PIXELS, autoOrient: true })
  return { image, header }
}

/** Turns a failed decoding into an error for the visitor. */
async function readable<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding
  } catch (error) {
    throw damagedImage(error)
  }
}

/** The encoder's second lowest effort is as fast as JPEG, and the file is a third smaller at the same quality. */
async function makeThumbnail(image: Sharp): Promise<Pick<InspectedPhoto, 'thumbnail' | 'placeholder'>> {
  const { data, info } = await image
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pixels = sharp(data, { raw: info })
  const thumbnail = await pixels.clone().webp({ quality: 75, effort: 1 }).toBuffer()
  return { thumbnail, placeholder: await placeholderOf(pixels, info) }
}

/** The colours of twelve parts of a picture, for a blurred picture in its place while it loads: 36 bytes with red, green
 *  and blue of each part, row by row; four columns and three rows, or three columns and four rows when the picture is
 *  higher than wide. */
function placeholderOf(pixels: Sharp, { width, height }: OutputInfo): Promise<Buffer> {
  const [columns, rows] = height > width ? [3, 4] : [4, 3]
  return pixels
    .resize(columns, rows, { fit: 'fill', kernel: 'linear' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer()
}
