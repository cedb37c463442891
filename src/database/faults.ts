import { AppError } from '../errors.ts'

/** Postgres's own codes for "not now" (its manual, appendix A): class 08 connection exceptions, 57P01–57P03
 *  shutting down or starting up, 53300 too many connections; and what the network says. */
const PASSING = /^(08...|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/
/** node-postgres has no codes for these. */
const PASSING_MESSAGE = /Connection terminated|timeout exceeded when trying to connect|Client has encountered/

/** A database that is away for now, as the visitor should read it; undefined for any other fault. */
export function databaseAway(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  const isDatabase = 'severity' in error || 'syscall' in error || PASSING_MESSAGE.test(error.message)
  if (!isDatabase || !(PASSING.test(code) || PASSING_MESSAGE.test(error.message))) return undefined
  return new AppError('SERVICE_UNAVAILABLE', 'The service is busy right now. Please try again in a moment.', {
    cause: error,
    retryAfter: 5,
  })
}
