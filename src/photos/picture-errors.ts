import { PHOTO_MAX_PIXELS } from '../contract/limits.ts'
import { ONLY_JPEG_AND_PNG } from '../contract/wording.ts'
import { AppError } from '../errors.ts'

export const emptyFile = () => new AppError('BAD_REQUEST', 'The file is empty')

export const notAPhoto = () => new AppError('UNSUPPORTED_MEDIA_TYPE', ONLY_JPEG_AND_PNG)

/** The name of a HEIC picture may say that it is a JPEG. */
export const heicSelfie = () =>
  new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'This is a HEIC picture, whatever its name says. Please upload it as JPEG',
  )

export const notAPicture = () =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', 'Please upload an image file (JPG, PNG, etc.)')

export const tooManyPixels = ({ width, height }: { width: number; height: number }) =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The photo is too large: ${width} × ${height} pixels. At most ${PHOTO_MAX_PIXELS / 1e6} megapixels can be processed`,
  )

export const damagedImage = (cause?: unknown) =>
  new AppError('BAD_REQUEST', 'The photo is damaged or incomplete', { cause })

export const takesTooLong = (cause?: unknown) =>
  new AppError(
    'UNPROCESSABLE_CONTENT',
    'The photo takes too long to process. Please save it again as a normal JPEG',
    { cause },
  )

export const decodersDown = (cause?: unknown) =>
  new AppError('SERVICE_UNAVAILABLE', 'Photos cannot be processed at the moment. Please try again later.', {
    cause,
    retryAfter: 5,
  })

export const tooManyWaiting = () =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'Many photos are being prepared for your network at the moment. Please try again in a few seconds',
    { retryAfter: 5, isBusy: true },
  )
