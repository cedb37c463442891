import { z } from 'zod'
import type { oas31 } from 'zod-openapi'
import { brokenEscape } from '../api/trpc.ts'
import { uploadOutput } from '../contract/photos.ts'
import { REASONS } from '../contract/reasons.ts'
import { databaseUnavailable } from '../database/faults.ts'
import { type AppError, type ErrorCode, HTTP_STATUS, reasonOfCode } from '../errors.ts'
import { faultOfOurs, jsonOnly, requestFault } from './errors.ts'
import { unreadableForm } from './forms.ts'
import { tooDeep } from './json-bodies.ts'
import { requestTooSlow } from './limits.ts'
import { fromAnotherSite } from './same-site.ts'

const CODES = Object.keys(HTTP_STATUS) as ErrorCode[]

/** The body of every error. */
export const errorSchema = z.object({
  message: z.string().meta({ description: 'What went wrong, in words for the person who made the call.' }),
  error: z.string().meta({ description: 'The same as `message`.' }),
  code: z.enum(CODES).meta({ description: 'The status as a word, the same as over tRPC.' }),
  reason: z.enum([...REASONS, ...CODES.map(reasonOfCode)]).meta({
    description:
      'Why, for programs: decide by it, never by the sentence. Without a reason of its own it is `code` in small letters.',
  }),
  issues: z
    .array(
      z.object({
        path: z
          .array(z.union([z.string(), z.number()]))
          .meta({ description: 'The place in the input, the outermost field first.' }),
        message: z.string().meta({ description: 'What is wrong there.' }),
      }),
    )
    .optional()
    .meta({ description: 'With invalid input: everything that is wrong with it.' }),
  requestId: z.string().meta({
    description: "The same as the answer's X-Request-Id. The log of the service names it, too.",
  }),
})

/** The body of an upload in which no file was stored: the reason, and what happened to each file. */
export const uploadErrorSchema = errorSchema.extend(uploadOutput.partial().shape)

const MEANINGS: Record<ErrorCode, string> = {
  BAD_REQUEST: 'The request is not valid.',
  UNAUTHORIZED: 'The caller must log in or send the owner key.',
  FORBIDDEN: 'The caller may not do this, or the call came from a page of another site.',
  NOT_FOUND: 'It does not exist, or no longer exists.',
  METHOD_NOT_SUPPORTED: 'The address has no such method.',
  TIMEOUT: 'The request took too long to arrive.',
  CONFLICT: 'Something has changed meanwhile, or the service is not set up for this.',
  PAYLOAD_TOO_LARGE: 'Something in the request is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The content type, or the type of a file, is not accepted.',
  UNPROCESSABLE_CONTENT: 'The picture was read but cannot be used.',
  TOO_MANY_REQUESTS: 'Too many of these calls.',
  INTERNAL_SERVER_ERROR: 'A fault of the service.',
  SERVICE_UNAVAILABLE: 'Something that the service needs is currently unavailable. Try again.',
}

const REQUEST_ID = '2f9d7c1e-8a4b-4c3d-9e6f-5b0a1c2d3e4f'

const EVERY_CALL = [faultOfOurs(), databaseUnavailable()]
const CALLS_WITH_A_PATH_PARAMETER = [brokenEscape()]
const CALLS_THAT_CHANGE_SOMETHING = [
  fromAnotherSite(),
  requestTooSlow(),
  requestFault('FST_ERR_CTP_INVALID_JSON_BODY'),
  requestFault('FST_ERR_CTP_EMPTY_JSON_BODY'),
  requestFault('FST_ERR_CTP_BODY_TOO_LARGE'),
  requestFault('FST_ERR_CTP_INVALID_MEDIA_TYPE'),
]
const CALLS_WITH_JSON = [jsonOnly(), tooDeep()]
const CALLS_WITH_A_FORM = [
  unreadableForm(),
  requestFault('FST_PROTO_VIOLATION'),
  requestFault('FST_FIELDS_LIMIT'),
  requestFault('FST_INVALID_MULTIPART_CONTENT_TYPE'),
]

/** The errors of all calls of this kind. */
export function generalErrors(call: {
  method: string
  path: string
  bodyType: string | undefined
}): AppError[] {
  return [
    ...(call.path.includes('{') ? CALLS_WITH_A_PATH_PARAMETER : []),
    ...(call.method === 'get' ? [] : CALLS_THAT_CHANGE_SOMETHING),
    ...(call.bodyType === 'application/json' ? CALLS_WITH_JSON : []),
    ...(call.bodyType === 'multipart/form-data' ? CALLS_WITH_A_FORM : []),
    ...EVERY_CALL,
  ]
}

/** A response for each status. Its examples are the errors with that status. */
export function errorResponses(
  errors: AppError[],
  schema: 'Error' | 'UploadError',
): Record<string, oas31.ResponseObject> {
  const byCode = [...Map.groupBy(errors, (error) => error.code)]
  return Object.fromEntries(
    byCode.map(([code, alike]) => [
      HTTP_STATUS[code],
      {
        description: MEANINGS[code],
        ...headersOf(alike),
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${schema}` },
            examples: Object.fromEntries(alike.map((error) => [error.message, { value: bodyOf(error) }])),
          },
        },
      },
    ]),
  )
}

function bodyOf({ message, code, reason, issues }: AppError) {
  return { message, error: message, code, reason, ...(issues && { issues }), requestId: REQUEST_ID }
}

function headersOf(errors: AppError[]): Pick<oas31.ResponseObject, 'headers'> {
  const waits = errors.some((error) => error.retryAfter !== undefined)
  const challenge = errors.find((error) => error.challenge !== undefined)?.challenge
  if (!waits && !challenge) return {}
  return {
    headers: {
      ...(waits && { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } }),
      ...(challenge && {
        'WWW-Authenticate': { description: 'How to log in.', schema: { type: 'string' }, example: challenge },
      }),
    },
  }
}
