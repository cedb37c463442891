import { TRPCError } from '@trpc/server'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { knownFailure } from '../api/known-failure.ts'
import { BATCH_SIZE } from '../contract/limits.ts'
import { AppError, type ErrorCode, HTTP_STATUS, type Issue, SOMETHING_WENT_WRONG } from '../errors.ts'

/** The body of every failure under /api, whatever layer it came from. */
export interface ErrorBody {
  message: string
  /** Equal to `message`: the specification's clients read one or the other. */
  error: string
  code: ErrorCode
  issues?: Issue[]
  /** Stands beside the fault in the log. */
  requestId: string
}

/** Faults of Fastify and its plugins that a client can mend, in words. */
const CLIENT_FAULTS: Record<string, [ErrorCode, string]> = {
  FST_ERR_BAD_URL: ['BAD_REQUEST', 'The address contains a broken % escape'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['BAD_REQUEST', 'The request body is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['BAD_REQUEST', 'The request body is empty'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['BAD_REQUEST', 'The request body is not as long as it was announced'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The request body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'This content type is not supported here'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: [
    'UNSUPPORTED_MEDIA_TYPE',
    'Send this as a multipart form (multipart/form-data)',
  ],
  FST_FILES_LIMIT: ['PAYLOAD_TOO_LARGE', `At most ${BATCH_SIZE} photos in one batch`],
  FST_PARTS_LIMIT: ['PAYLOAD_TOO_LARGE', 'The form has too many parts'],
  FST_FIELDS_LIMIT: ['PAYLOAD_TOO_LARGE', 'The form has too many fields'],
  FST_PROTO_VIOLATION: ['BAD_REQUEST', 'The form has a field whose name is not allowed'],
}

/** What any thrown thing means to the caller. */
export function failureToAnswer(error: unknown): AppError {
  const said = knownFailure(error)
  if (said) return said
  if (error instanceof TRPCError) return fromTrpc(error)
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const known = CLIENT_FAULTS[code]
  if (known) return new AppError(known[0], known[1], { cause: error })
  if (statusCode >= 400 && statusCode < 500)
    return new AppError(codeOfStatus(statusCode), 'The request could not be understood', { cause: error })
  return new AppError('INTERNAL_SERVER_ERROR', SOMETHING_WENT_WRONG, { cause: error })
}

function fromTrpc(error: TRPCError): AppError {
  if (error.code === 'INTERNAL_SERVER_ERROR')
    return error.cause
      ? failureToAnswer(error.cause)
      : new AppError(error.code, SOMETHING_WENT_WRONG, { cause: error })
  // The plugin repeats the type it was given, and forgets a quotation mark.
  if (error.code === 'UNSUPPORTED_MEDIA_TYPE')
    return new AppError(error.code, 'Send this with the content type application/json', { cause: error })
  const code = error.code in HTTP_STATUS ? (error.code as ErrorCode) : 'BAD_REQUEST'
  return error.cause instanceof AppError ? error.cause : new AppError(code, error.message, { cause: error })
}

function codeOfStatus(status: number): ErrorCode {
  const found = Object.entries(HTTP_STATUS).find(([, value]) => value === status)
  return found ? (found[0] as ErrorCode) : 'BAD_REQUEST'
}

export function errorBody(error: AppError, request: FastifyRequest): ErrorBody {
  return {
    message: error.message,
    error: error.message,
    code: error.code,
    ...(error.issues && { issues: error.issues }),
    requestId: request.id,
  }
}

/** Answers with an error's status and body, and logs what is our fault. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = describeFailure(error, request)
  reply.headers(errorHeaders(failure))
  // An address that cannot be read is refused before the hook that does this for all others.
  reply.header('x-request-id', request.id)
  return reply.code(HTTP_STATUS[failure.code]).send(errorBody(failure, request))
}

/** The failure to answer with; faults of ours are logged whole, here and nowhere else. */
export function describeFailure(error: unknown, request: FastifyRequest): AppError {
  const failure = failureToAnswer(error)
  if (HTTP_STATUS[failure.code] >= 500) request.log.error({ err: error }, 'A request failed')
  return failure
}

/** What an error says beside its body. */
export function errorHeaders(error: AppError): Record<string, string> {
  return {
    ...(error.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
    ...(error.challenge !== undefined && { 'www-authenticate': error.challenge }),
  }
}

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
}
