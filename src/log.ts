import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

interface LoggedError {
  type: string
  message: string
  code?: unknown
  stack?: string | undefined
  cause?: LoggedError
}

/** Only the fields that locate a fault, because a database error also repeats the row, with mail addresses. */
function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  return {
    type: error.name,
    message: error.message,
    ...('code' in error && { code: error.code }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}

/** Structured lines on standard error. Standard output is for messages to the person at the terminal. Never log what
 *  identifies a visitor: no address, token, password, name or mail. */
export function createLog(level: string, destination: DestinationStream = pino.destination(2)): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      // @fastify/multipart traces its options, which contain the request's headers and so the session cookie.
      redact: { paths: ['busboyOptions.headers'], remove: true },
    },
    destination,
  )
}
