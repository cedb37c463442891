import { AppError } from '../errors.ts'

export const noFaceFound = (cause?: unknown) =>
  new AppError(
    'UNPROCESSABLE_CONTENT',
    'No face was found in this picture. Try a clearer photo that shows your face from the front.',
    { cause },
  )

export const engineStopping = () => unavailable('The service is stopping. Please try again in a moment.')

export const engineDown = () => unavailable('The face engine is currently down. Please try again later.')

export const engineInterrupted = (cause?: unknown) =>
  new AppError('INTERNAL_SERVER_ERROR', 'The face engine was interrupted. Please try again.', { cause })

function unavailable(message: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message, { retryAfter: 5 })
}
