import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { BODY_MAX_BYTES } from './limits.ts'

/** Far above what the calls need, and low enough to do no harm. */
export const FORM_LIMITS = {
  fields: 20,
  /** One more than the longest name or key. */
  fieldSize: 501,
  fieldNameSize: 100,
  headerPairs: 20,
}

type Limits = NonNullable<NonNullable<Parameters<FastifyRequest['parts']>[0]>['limits']>

/** The parts of a multipart form, in the order they arrive. All fields together are as long as a body of JSON at most.
 *  @throws AppError BAD_REQUEST when the form is cut off or unreadable, PAYLOAD_TOO_LARGE when its fields are too long. */
export async function* readForm(request: FastifyRequest, limits: Limits) {
  let fieldBytes = 0
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') fieldBytes += Buffer.byteLength(String(part.value))
      if (fieldBytes > BODY_MAX_BYTES) throw formTooLong()
      yield part
    }
  } catch (error) {
    throw formFault(error)
  }
}

/** Waits for the content of a part.
 *  @throws AppError BAD_REQUEST when the form is cut off or unreadable. */
export async function readPart<T>(part: Promise<T>): Promise<T> {
  try {
    return await part
  } catch (error) {
    throw formFault(error)
  }
}

/** A body that ends early or is not a form is the client's fault. Busboy's errors do not say so. */
function formFault(error: unknown): unknown {
  if (error instanceof AppError || (error instanceof Error && 'statusCode' in error)) return error
  return unreadableForm(error)
}

const formTooLong = () => new AppError('PAYLOAD_TOO_LARGE', 'The form has too much text')

const unreadableForm = (cause?: unknown) =>
  new AppError('BAD_REQUEST', 'The form was cut off or is not readable', { cause })

export function unexpectedFile(given: string, expected: string): AppError {
  return new AppError(
    'BAD_REQUEST',
    `Unexpected file field "${given.slice(0, 50)}": send it as "${expected}"`,
  )
}
