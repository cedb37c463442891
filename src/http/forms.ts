import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { SELFIE_MAX_BYTES } from '../contract/limits.ts'
import { AppError } from '../errors.ts'
import { tooManySelfies } from '../search/find-person.ts'
import { requestTooSlow } from './limits.ts'

/** Far above what the calls need, and low enough to do no harm. */
export const FORM_LIMITS = {
  fields: 20,
  /** One more than the longest name or key. */
  fieldSize: 501,
  fieldNameSize: 100,
  headerPairs: 20,
}

type Limits = NonNullable<NonNullable<Parameters<FastifyRequest['parts']>[0]>['limits']>

/** The parts of a multipart form, in the order they arrive.
 *  @throws AppError BAD_REQUEST when the form is cut off or unreadable. */
export async function* readForm(request: FastifyRequest, limits: Limits) {
  try {
    yield* request.parts({ limits })
  } catch (error) {
    throw formFault(error)
  }
}

/** Waits for the content of a part.
 *  @throws AppError BAD_REQUEST when the form is cut off or unreadable. */
export async function readPart<T>(part: Promise<T>): Promise<T> {
  try {
    return await part
  } catch (error) {
    throw formFault(error)
  }
}

/** A body that ends early or is not a form is the client's fault. Busboy's errors do not say so. */
function formFault(error: unknown): unknown {
  if (error instanceof AppError || (error instanceof Error && 'statusCode' in error)) return error
  return unreadableForm(error)
}

const unreadableForm = (cause?: unknown) =>
  new AppError('BAD_REQUEST', 'The form was cut off or is not readable', { cause })

export function unexpectedFile(given: string, expected: string): AppError {
  return new AppError(
    'BAD_REQUEST',
    `Unexpected file field "${given.slice(0, 50)}": send it as "${expected}"`,
  )
}

/** More than the fields and the framing of a form need. */
const FRAMING_MAX_BYTES = 100_000

/** The fields of a form that have pictures, each with the pictures of one person. */
type SelfieField = 'photo' | 'otherPhoto'

/** The pictures, in the order in which they were sent. */
export type Selfies = Record<SelfieField, Buffer[]>

export interface SelfieForm {
  fields: Record<string, unknown>
  selfies: Selfies
}

export interface BegunForm {
  /** Those that came before the first picture. */
  fields: Record<string, unknown>
  /** Bytes of memory that all pictures may need; 0: there are none. */
  bytes: number
  /** Reads the pictures into memory, and the fields that come after them. */
  readOn(): Promise<SelfieForm>
}

export interface FormOptions {
  /** The number of pictures that each field may have. */
  most: Partial<Record<SelfieField, number>> & { photo: number }
  /** Characters. */
  longestField: number
  /** Ms within which the pictures have to arrive. */
  arriveMs: number
}

/** Begins to read a form with pictures, up to the first of them. All together may be as large as the largest ones of one
 *  person. A form that does not say how long it is has space for one picture of the largest size.
 *  @throws AppError when the form is unreadable or too large, or has more or other files than it may have; so does `readOn` */
export async function beginSelfieForm(
  request: FastifyRequest,
  { most, longestField, arriveMs }: FormOptions,
): Promise<BegunForm> {
  const maxBytes = most.photo * SELFIE_MAX_BYTES
  const length = Number(request.headers['content-length'] ?? SELFIE_MAX_BYTES)
  if (length > maxBytes + FRAMING_MAX_BYTES) throw selfieTooLarge()
  const fields: Record<string, unknown> = {}
  const selfies: Selfies = { photo: [], otherPhoto: [] }
  const parts = readForm(request, {
    ...FORM_LIMITS,
    fieldSize: longestField + 1,
    fileSize: SELFIE_MAX_BYTES,
    files: most.photo + (most.otherPhoto ?? 0) + 1,
  })

  /** @returns the next picture; undefined at the end */
  async function nextPicture() {
    for (;;) {
      const { done, value: part } = await parts.next()
      if (done) return undefined
      if (part.type === 'file') return part
      fields[part.fieldname] = part.value
    }
  }

  const first = await nextPicture()
  const bytes = Math.min(length, maxBytes)

  async function readPictures(): Promise<SelfieForm> {
    let left = bytes
    for (let part = first; part; part = await nextPicture()) {
      // The form's reader refuses names of the prototype, such as "constructor".
      const field = part.fieldname as SelfieField
      const mostOfField = most[field]
      if (mostOfField === undefined) throw unexpectedFile(part.fieldname, 'photo')
      if (selfies[field].length === mostOfField) throw tooManySelfies(mostOfField)
      const selfie = await readPart(readSelfie(part.file, left))
      selfies[field].push(selfie)
      left -= selfie.length
    }
    return { fields, selfies }
  }

  return {
    fields: { ...fields },
    bytes: first ? bytes : 0,
    async readOn() {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(requestTooSlow()), arriveMs)
      try {
        return await Promise.race([readPictures(), late.promise])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

async function readSelfie(file: Readable & { truncated: boolean }, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of file as AsyncIterable<Buffer>) {
    length += chunk.length
    if (file.truncated || length > most) throw selfieTooLarge()
    chunks.push(chunk)
  }
  if (file.truncated) throw selfieTooLarge()
  return Buffer.concat(chunks, length)
}

const selfieTooLarge = () => new AppError('PAYLOAD_TOO_LARGE', 'Please upload an image smaller than 10MB')
