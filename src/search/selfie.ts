import { AppError } from '../errors.ts'
import { emptyFile, openImage, readable, sniff } from '../photos/images.ts'
import { refuseTooManyScans, structureOf } from '../photos/picture-structure.ts'

/** More pixels of one face do not help a face engine. A JPEG of this size and quality is always below the
 *  5 MB that Rekognition takes: pure noise gives 3.5 MB. */
const SIDE = 2048

/** A selfie as the face index takes it: JPEG of at most 5 MB and 2048 pixels on its long side, the first
 *  frame, upright, on white, without metadata.
 *
 *  Throws AppError BAD_REQUEST when it is empty or damaged, UNSUPPORTED_MEDIA_TYPE when it is not a JPEG, PNG, GIF
 *  or WEBP by content, PAYLOAD_TOO_LARGE above 64 megapixels or 32 scans. */
export async function normaliseSelfie(bytes: Buffer): Promise<Buffer> {
  if (bytes.length === 0) throw emptyFile()
  if (!sniff(bytes)) throw notAPicture()
  refuseTooManyScans(structureOf(bytes))
  const { image } = await openImage(bytes)
  return readable(
    image
      .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .jpeg({ quality: 90 })
      .toBuffer(),
  )
}

export const notAPicture = () =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', 'Please upload an image file (JPG, PNG, etc.)')
