import { type DestinationStream, type Logger, pino } from 'pino'
import { hasCode } from './errors.ts'

export type Log = Logger

interface LoggedError {
  type: string
  message: string
  code?: unknown
  stack?: string | undefined
  cause?: LoggedError
}

/** Only the fields that locate a fault, because a database error also repeats the row, with mail addresses. Something
 *  that Inframe depends on and that is unavailable is no fault of the code, so no stack says more than its causes. */
function describeError(error: unknown, withStack = !hasCode(error, 'SERVICE_UNAVAILABLE')): LoggedError {
  if (!isLikeError(error)) return { type: typeof error, message: String(error) }
  return {
    type: error instanceof Error ? error.name : typeof error,
    message: error.message,
    ...('code' in error && { code: error.code }),
    ...(withStack && { stack: error.stack }),
    ...(error.cause !== undefined && { cause: describeError(error.cause, withStack) }),
  }
}

/** pg-boss gives its errors as plain objects with the fields of an error. */
function isLikeError(error: unknown): error is Pick<Error, 'message' | 'stack' | 'cause'> {
  return (
    typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
  )
}

/** Structured lines on standard error. Standard output is for messages to the person at the terminal. Never log what
 *  identifies a visitor: no address, token, password, name or mail. */
export function createLog(level: string, destination: DestinationStream = pino.destination(2)): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => describeError(error) },
      // @fastify/multipart traces its options, which contain the request's headers and so the session cookie.
      redact: { paths: ['busboyOptions.headers'], remove: true },
    },
    destination,
  )
}
