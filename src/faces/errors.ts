import { SELFIE_ADVICE } from '../contract/selfie-advice.ts'
import { AppError, SERVICE_STOPPING } from '../errors.ts'

const unusable = (message: string) => (cause?: unknown) =>
  new AppError('UNPROCESSABLE_CONTENT', message, { cause })

const unavailable = (message: string) => (cause?: unknown) =>
  new AppError('SERVICE_UNAVAILABLE', message, { cause, retryAfter: 5 })

export const noFaceFound = unusable(SELFIE_ADVICE.NO_FACE)
export const faceTooSmall = unusable(SELFIE_ADVICE.TOO_FAR_AWAY)
export const faceTooDark = unusable(SELFIE_ADVICE.TOO_DARK)
export const unreadablePicture = unusable('This picture could not be read. It may be damaged.')
export const pictureTooSlow = unusable('Searching this picture for faces took too long.')
export const pictureTooLarge = unusable('Searching this picture for faces took too much memory.')
export const pictureEndsEngine = unusable('The face search crashed twice on this picture.')

export const engineStopping = unavailable(SERVICE_STOPPING)
export const engineDown = unavailable('The face engine is currently down. Please try again later.')
export const serviceBusy = unavailable('The face service is currently busy. Please try again in a moment.')
export const serviceUnavailable = unavailable(
  'The face service is currently unavailable. Please try again later.',
)
export const serviceFull = unavailable('The face service currently accepts no more faces.')

export const noCollection = (cause?: unknown) =>
  new AppError('NOT_FOUND', 'This album has no face collection.', { cause })
