import { SELFIE_ADVICE } from '../contract/selfie-advice.ts'
import { AppError, SERVICE_STOPPING } from '../errors.ts'

export const noFaceFound = (cause?: unknown) =>
  new AppError('UNPROCESSABLE_CONTENT', SELFIE_ADVICE.NO_FACE, { cause })

export const faceTooSmall = (cause?: unknown) =>
  new AppError('UNPROCESSABLE_CONTENT', SELFIE_ADVICE.TOO_FAR_AWAY, { cause })

export const faceTooDark = (cause?: unknown) =>
  new AppError('UNPROCESSABLE_CONTENT', SELFIE_ADVICE.TOO_DARK, { cause })

export const unreadablePicture = (cause?: unknown) =>
  new AppError('UNPROCESSABLE_CONTENT', 'This picture could not be read. It may be damaged.', { cause })

export const pictureTooSlow = (cause?: unknown) =>
  new AppError('UNPROCESSABLE_CONTENT', 'Searching this picture for faces took too long.', { cause })

export const pictureTooLarge = (cause?: unknown) =>
  new AppError('UNPROCESSABLE_CONTENT', 'Searching this picture for faces took too much memory.', { cause })

export const pictureEndsEngine = (cause?: unknown) =>
  new AppError('UNPROCESSABLE_CONTENT', 'The face search crashed twice on this picture.', { cause })

export const engineStopping = (cause?: unknown) => unavailable(SERVICE_STOPPING, cause)

export const engineDown = (cause?: unknown) =>
  unavailable('The face engine is currently down. Please try again later.', cause)

export const serviceBusy = (cause?: unknown) =>
  unavailable('The face service is currently busy. Please try again in a moment.', cause)

export const serviceUnavailable = (cause?: unknown) =>
  unavailable('The face service is currently unavailable. Please try again later.', cause)

export const serviceFull = (cause?: unknown) =>
  unavailable('The face service currently accepts no more faces.', cause)

export const noCollection = (cause?: unknown) =>
  new AppError('NOT_FOUND', 'This album has no face collection.', { cause })

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message, { cause, retryAfter: 5 })
}
