import { AppError } from '../errors.ts'
import type { Decoders } from '../photos/decoders.ts'
import { emptyFile } from '../photos/picture-errors.ts'
import { isHeic, sniff } from '../photos/picture-types.ts'

/** A selfie as the face index takes it: JPEG of at most 5 MB and 2000 pixels on its long side, the first
 *  frame, upright, on white, without metadata.
 *
 *  Throws AppError BAD_REQUEST when it is empty or damaged, UNSUPPORTED_MEDIA_TYPE when it is not a JPEG, PNG, GIF
 *  or WEBP by content, PAYLOAD_TOO_LARGE above 64 megapixels, UNPROCESSABLE_CONTENT when it takes too much time or memory. */
export async function normaliseSelfie(
  decoders: Decoders,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<Buffer> {
  if (bytes.length === 0) throw emptyFile()
  if (!sniff(bytes)) throw isHeic(bytes) ? heicSelfie() : notAPicture()
  return await decoders.selfie(bytes, signal)
}

export const tooManySelfies = (most: number) =>
  new AppError(
    'BAD_REQUEST',
    most === 1 ? 'Please send one photo only' : `Please send at most ${most} photos of a person`,
  )

export const manySearches = () =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'Many guests are searching for their photos at the moment. Please try again in a moment.',
    {
      reason: 'many_searches',
      retryAfter: 5,
      isBusy: true,
    },
  )

/** The name of a HEIC picture may say that it is a JPEG. */
export const heicSelfie = () =>
  new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'This is a HEIC picture, whatever its name says. Please upload it as JPEG',
  )

export const notAPicture = () =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', 'Please upload an image file (JPG, PNG, etc.)')
