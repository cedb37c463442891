import { z } from 'zod'
import type { oas31 } from 'zod-openapi'
import { REASONS } from '../contract/reasons.ts'
import { type ErrorCode, HTTP_STATUS, reasonOfCode } from '../errors.ts'

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

/** What each error means, and one that has it. */
const ERRORS: Partial<Record<ErrorCode, [meaning: string, example: string]>> = {
  BAD_REQUEST: ['The request is not valid.', 'Please enter an album name'],
  UNAUTHORIZED: [
    'The caller must log in or send the owner key.',
    'Please enter the album password to view this album',
  ],
  FORBIDDEN: [
    'The caller may not do this, or the call came from a page of another site.',
    'Only the owner of the album may do this',
  ],
  NOT_FOUND: ['It does not exist, or no longer exists.', 'Album not found'],
  CONFLICT: [
    'Something has changed meanwhile, or the service is not set up for this.',
    'The owner key has changed meanwhile',
  ],
  TOO_MANY_REQUESTS: ['Too many of these calls.', 'Too many attempts. Please try again in 5 minutes.'],
  INTERNAL_SERVER_ERROR: ['A fault of the service.', 'Something went wrong on our side. Please try again.'],
  SERVICE_UNAVAILABLE: [
    'Something that the service needs is currently unavailable. Try again.',
    'Too many photos are being uploaded at the moment',
  ],
  TIMEOUT: ['The request took too long to arrive.', 'The request took too long to arrive'],
  PAYLOAD_TOO_LARGE: ['Something in the request is too large.', 'The request body is too large'],
  UNSUPPORTED_MEDIA_TYPE: [
    'The content type, or the type of a file, is not accepted.',
    'Send this with the content type application/json',
  ],
  UNPROCESSABLE_CONTENT: [
    'The picture was read but cannot be used.',
    'No face was found in the photo. Please choose a clear photo of your face.',
  ],
}
/** Errors of what a call sends in its body. */
const OF_BODIES: ErrorCode[] = [
  'TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNPROCESSABLE_CONTENT',
]
const WITH_WAIT: ErrorCode[] = ['TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE']
const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
} as const
const REQUEST_ID = '2f9d7c1e-8a4b-4c3d-9e6f-5b0a1c2d3e4f'

/** The responses that operations refer to, by their error codes. */
export function errorResponses(): Record<string, oas31.ResponseObject> {
  const responses = Object.entries(ERRORS).map(([code, [description, message]]) => {
    const reason = reasonOfCode(code as ErrorCode)
    const example = { message, error: message, code, reason, requestId: REQUEST_ID }
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } }
    return [
      code,
      { description, content, ...(WITH_WAIT.includes(code as ErrorCode) && { headers: RETRY_AFTER }) },
    ]
  })
  return Object.fromEntries(responses)
}

/** The errors that a call may answer, by status. */
export function errorsOf(method: string): Record<string, oas31.ReferenceObject> {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const possible = method === 'get' ? codes.filter((code) => !OF_BODIES.includes(code)) : codes
  return Object.fromEntries(
    possible.map((code) => [HTTP_STATUS[code], { $ref: `#/components/responses/${code}` }]),
  )
}
