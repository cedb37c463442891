import { z } from 'zod'
import { databaseAway } from '../database/faults.ts'
import { AppError, type Issue } from '../errors.ts'

/** The error to answer with for one that a procedure or a route has thrown; undefined for a fault of the service. */
export function knownFailure(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  if (error instanceof z.ZodError) return invalidInput(error)
  return databaseAway(error)
}

/** Everything that is wrong with an input: one sentence for each fault, and each fault with its path. */
export function invalidInput(error: z.ZodError): AppError {
  const issues = error.issues.map(
    ({ path, message }): Issue => ({ path: path as (string | number)[], message }),
  )
  return new AppError('BAD_REQUEST', [...new Set(issues.map((issue) => issue.message))].join('. '), {
    issues,
  })
}
