import type { Reason } from './contract/reasons.ts'

/** The codes of all errors that the service reports, and their HTTP statuses. The names are tRPC's, so a code is the
 *  same over /api and over /trpc. */
export const HTTP_STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_SUPPORTED: 405,
  TIMEOUT: 408,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE_CONTENT: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof HTTP_STATUS

/** The reason of an error that names none. */
export const reasonOfCode = (code: ErrorCode) => code.toLowerCase() as Lowercase<ErrorCode>

/** What the visitor reads for a fault of the service. The log has the whole error under the request's id. */
export const SOMETHING_WENT_WRONG = 'Something went wrong on our side. Please try again.'

/** What the caller reads whose work is lost because a process stops. */
export const SERVICE_STOPPING = 'The service is stopping. Please try again in a moment.'

/** One fault of an input: its place in the input, and a sentence about it. */
export interface Issue {
  path: (string | number)[]
  message: string
}

/** An error whose message is for the person who made the call. Any other error is a fault of the service: the log has
 *  all of it, and the caller reads SOMETHING_WENT_WRONG. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  /** What programs decide by. */
  readonly reason: Reason | Lowercase<ErrorCode>
  readonly issues: Issue[] | undefined
  /** Seconds to wait before trying again; sent as Retry-After. */
  readonly retryAfter: number | undefined
  /** How to log in; sent as WWW-Authenticate. */
  readonly challenge: string | undefined
  /** The service is busy with other callers, as it may be. Nothing is wrong, so the log has no fault. */
  readonly isBusy: boolean

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      cause?: unknown
      reason?: Reason
      issues?: Issue[]
      retryAfter?: number
      challenge?: string
      isBusy?: boolean
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.reason = options.reason ?? reasonOfCode(code)
    this.issues = options.issues
    this.retryAfter = options.retryAfter
    this.challenge = options.challenge
    this.isBusy = options.isBusy ?? false
  }
}

/** Whether it is an AppError with this code. */
export function hasCode(error: unknown, code: ErrorCode): error is AppError {
  return error instanceof AppError && error.code === code
}
