import { z } from 'zod'
import { databaseFault } from '../database/faults.ts'
import { AppError, type Issue } from '../errors.ts'

/** Translates what a procedure or a route has thrown into the error to answer with. Undefined for a fault of the
 *  service itself. */
export function knownFailure(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  if (error instanceof z.ZodError) return invalidInput(error)
  return databaseFault(error)
}

/** Everything that is wrong with an input: one sentence for each fault, and each fault with its path. */
export function invalidInput(error: z.ZodError): AppError {
  const issues = error.issues.map(
    ({ path, message }): Issue => ({ path: path as (string | number)[], message }),
  )
  // Some messages end with a period of their own.
  const sentences = [...new Set(issues.map(({ message }) => message))]
  const message = sentences.reduce((text, next) => `${text.replace(/\.$/, '')}. ${next}`)
  return new AppError('BAD_REQUEST', message, { issues })
}
