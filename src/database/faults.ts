import { AppError } from '../errors.ts'

/** Codes of faults that pass. Of Postgres (its manual, appendix A): class 08 connection exceptions, 25006 a server that
 *  takes no writes, such as one that another has replaced, 57P01–57P03 shutting down or starting up, 53100 a full disk,
 *  53300 too many connections. The others are the operating system's network errors. */
const PASSING =
  /^(08...|25006|57P0[123]|53[13]00|ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)UNREACH|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/
/** node-postgres reports these without a code. */
const PASSING_MESSAGE = /Connection terminated|timeout exceeded when trying to connect|Client has encountered/

/** The error that a visitor gets when the database is temporarily unavailable; undefined for any other fault. */
export function databaseFault(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  const isDatabase = 'severity' in error || 'syscall' in error || PASSING_MESSAGE.test(error.message)
  if (!isDatabase || !(PASSING.test(code) || PASSING_MESSAGE.test(error.message))) return undefined
  return databaseUnavailable(error)
}

export const databaseUnavailable = (cause?: unknown) =>
  new AppError('SERVICE_UNAVAILABLE', 'The service is busy right now. Please try again in a moment.', {
    cause,
    retryAfter: 5,
  })
