import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** Far more than the calls have, far less than does harm. */
export const FORM_LIMITS = { fields: 20, fieldSize: 2_000, fieldNameSize: 100, headerPairs: 20 }

type Limits = NonNullable<NonNullable<Parameters<FastifyRequest['parts']>[0]>['limits']>

/** The parts of a multipart form, in the order they arrive. */
export async function* readForm(request: FastifyRequest, limits: Limits) {
  try {
    yield* request.parts({ limits })
  } catch (error) {
    throw ofForm(error)
  }
}

/** What is read from a part, with the faults of its form told as such. */
export async function whole<T>(part: Promise<T>): Promise<T> {
  try {
    return await part
  } catch (error) {
    throw ofForm(error)
  }
}

/** A body that ends early or is no form at all is the client's fault, though busboy's errors do not say so. */
function ofForm(error: unknown): unknown {
  if (error instanceof AppError || (error instanceof Error && 'statusCode' in error)) return error
  return new AppError('BAD_REQUEST', 'The form was cut off or is not readable', { cause: error })
}

export function unexpectedFile(given: string, expected: string): AppError {
  return new AppError(
    'BAD_REQUEST',
    `Unexpected file field "${given.slice(0, 50)}": send it as "${expected}"`,
  )
}
