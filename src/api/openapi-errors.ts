import { z } from 'zod'
import type { oas31 } from 'zod-openapi'
import { uploadOutput } from '../contract/photos.ts'
import { AppError, type ErrorCode, HTTP_STATUS, SOMETHING_WENT_WRONG } from '../errors.ts'

/** The body of every failure. */
export const errorSchema = z.object({
  message: z.string().meta({ description: 'What went wrong, in words for the person who made the call.' }),
  error: z.string().meta({ description: 'The same as `message`.' }),
  code: z
    .enum(Object.keys(HTTP_STATUS) as ErrorCode[])
    .meta({ description: 'The status as a word; it reads the same over tRPC.' }),
  issues: z
    .array(
      z.object({
        path: z
          .array(z.union([z.string(), z.number()]))
          .meta({ description: 'Where in the input, from the outside in.' }),
        message: z.string().meta({ description: 'What is wrong there.' }),
      }),
    )
    .optional()
    .meta({ description: 'With invalid input: everything that is wrong with it.' }),
  requestId: z.string().meta({
    description: "Also the answer's X-Request-Id; a fault of the service stands in its log under this id.",
  }),
})

/** An upload of which no file was kept answers with the error that says why, and with what became of each. */
export const uploadErrorSchema = errorSchema.extend(uploadOutput.partial().shape)

const MEANINGS: Record<ErrorCode, string> = {
  BAD_REQUEST: 'The request is not valid.',
  UNAUTHORIZED: 'The caller has shown no right to this.',
  FORBIDDEN: 'The right that the caller has shown is not enough, or the call came from elsewhere.',
  NOT_FOUND: 'It is not there, or no longer.',
  METHOD_NOT_SUPPORTED: 'The address has no such method.',
  TIMEOUT: 'The request took too long to arrive.',
  CONFLICT: 'The service is not set up for this.',
  PAYLOAD_TOO_LARGE: 'Something in the request is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The content type, or the type of a file, is not accepted.',
  UNPROCESSABLE_CONTENT: 'The picture was read, and cannot be used.',
  TOO_MANY_REQUESTS: 'Too many of these calls.',
  INTERNAL_SERVER_ERROR: 'A fault of the service.',
  SERVICE_UNAVAILABLE: 'Something that the service needs is away for now. Try again.',
}

const REQUEST_ID = '2f9d7c1e-8a4b-4c3d-9e6f-5b0a1c2d3e4f'

const badRequest = (message: string) => new AppError('BAD_REQUEST', message)
const tooLarge = (message: string) => new AppError('PAYLOAD_TOO_LARGE', message)
const wrongType = (message: string) => new AppError('UNSUPPORTED_MEDIA_TYPE', message)

const EVERY_CALL = [
  new AppError('INTERNAL_SERVER_ERROR', SOMETHING_WENT_WRONG),
  new AppError('SERVICE_UNAVAILABLE', 'The service is busy right now. Please try again in a moment.', {
    retryAfter: 5,
  }),
]
const CALLS_WITH_A_PATH_PARAMETER = [badRequest('The address contains a broken % escape')]
const CALLS_THAT_CHANGE_SOMETHING = [
  new AppError('FORBIDDEN', 'This call came from the page of another site'),
  new AppError('TIMEOUT', 'The request took too long to arrive'),
  badRequest('The request body is not valid JSON'),
  badRequest('The request body is empty'),
  tooLarge('The request body is too large'),
  wrongType('This content type is not supported here'),
]
const CALLS_WITH_JSON = [wrongType('Send this with the content type application/json')]
const CALLS_WITH_A_FORM = [
  badRequest('The form was cut off or is not readable'),
  badRequest('The form has a field whose name is not allowed'),
  tooLarge('The form has too many fields'),
  wrongType('Send this as a multipart form (multipart/form-data)'),
]

/** What a call can fail with whatever it does. */
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

/** One response a status, with every error that has it as an example. */
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

function bodyOf({ message, code, issues }: AppError) {
  return { message, error: message, code, ...(issues && { issues }), requestId: REQUEST_ID }
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
