import { TRPCError } from '@trpc/server'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { knownFailure } from '../api/known-failure.ts'
import { brokenEscape } from '../api/trpc.ts'
import { BATCH_SIZE } from '../contract/limits.ts'
import { AppError, type ErrorCode, HTTP_STATUS, type Issue, SOMETHING_WENT_WRONG } from '../errors.ts'

/** The body of every error answer under /api. */
export interface ErrorBody {
  message: string
  /** Equal to `message`. The specification's clients read one or the other (§7, §8). */
  error: string
  code: ErrorCode
  /** What clients decide by: see src/contract/reasons.ts. */
  reason: AppError['reason']
  issues?: Issue[]
  /** The log has the fault under this id. */
  requestId: string
}

/** What the caller reads for faults of Fastify and its plugins that a client can fix, by their codes. */
const REQUEST_FAULTS = {
  FST_ERR_CTP_INVALID_JSON_BODY: ['BAD_REQUEST', 'The request body is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['BAD_REQUEST', 'The request body is empty'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'BAD_REQUEST',
    'The request body is not as long as its Content-Length',
  ],
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
} satisfies Record<string, [ErrorCode, string]>

export type RequestFault = keyof typeof REQUEST_FAULTS

export function requestFault(fault: RequestFault, cause?: unknown): AppError {
  const [code, message] = REQUEST_FAULTS[fault]
  return new AppError(code as ErrorCode, message, { cause })
}

const jsonOnly = (cause?: unknown) =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send this with the content type application/json', { cause })

export const nothingHere = () => new AppError('NOT_FOUND', 'There is nothing at this address')

const faultOfOurs = (cause?: unknown) =>
  new AppError('INTERNAL_SERVER_ERROR', SOMETHING_WENT_WRONG, { cause })

/** The error to answer with for anything thrown. */
export function failureToAnswer(error: unknown): AppError {
  const known = knownFailure(error)
  if (known) return known
  if (error instanceof TRPCError) return fromTrpc(error)
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  if (code === 'FST_ERR_BAD_URL') return brokenEscape(error)
  if (Object.hasOwn(REQUEST_FAULTS, code)) return requestFault(code as RequestFault, error)
  if (statusCode >= 400 && statusCode < 500)
    return new AppError(codeOfStatus(statusCode), 'The request could not be understood', { cause: error })
  return faultOfOurs(error)
}

function fromTrpc(error: TRPCError): AppError {
  if (error.code === 'INTERNAL_SERVER_ERROR')
    return error.cause ? failureToAnswer(error.cause) : faultOfOurs(error)
  // The plugin's own message repeats the given type, with a quotation mark missing.
  if (error.code === 'UNSUPPORTED_MEDIA_TYPE') return jsonOnly(error)
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
    reason: error.reason,
    ...(error.issues && { issues: error.issues }),
    requestId: request.id,
  }
}

/** Answers with an error's status and body. Faults of the service are logged. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = reportFailure(error, request)
  reply.headers(errorHeaders(failure))
  // Unreadable addresses are refused before the hook that sets this header for all other requests.
  reply.header('x-request-id', request.id)
  return reply.code(HTTP_STATUS[failure.code]).send(errorBody(failure, request))
}

/** The error to answer with. Faults of the service are logged, with all their details; no other function logs them. */
export function reportFailure(error: unknown, request: FastifyRequest): AppError {
  const failure = failureToAnswer(error)
  if (HTTP_STATUS[failure.code] >= 500 && !failure.isBusy)
    request.log.error({ err: error }, 'A request failed')
  return failure
}

/** The headers of an error answer. */
export function errorHeaders(error: AppError): Record<string, string> {
  return {
    ...(error.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
    ...(error.challenge !== undefined && { 'www-authenticate': error.challenge }),
  }
}

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
}
