import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

interface LoggedError {
  type: string
  message: string
  code?: unknown
  stack?: string | undefined
  cause?: LoggedError
}

/** Only what says where a fault lies: a database error's own fields repeat the row, addresses and all. */
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

/** Structured lines on standard error; standard output keeps the words meant for the person at the terminal.
 *  Nothing that identifies a visitor is ever passed to it: no address, token, password, name or mail. */
export function createLog(level: string, destination: DestinationStream = pino.destination(2)): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      // @fastify/multipart traces them with the request's headers in them, and so with the session's cookie.
      redact: { paths: ['busboyOptions.headers'], remove: true },
    },
    destination,
  )
}
