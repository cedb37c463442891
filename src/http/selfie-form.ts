import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { SELFIE_MAX_BYTES } from '../contract/limits.ts'
import { AppError } from '../errors.ts'
import { FORM_LIMITS, readForm, readPart, unexpectedFile } from './forms.ts'
import { requestTooSlow } from './unreadable-requests.ts'

/** More than the fields and the framing of a form need. */
const FRAMING_MAX_BYTES = 100_000

/** How fast a form has to arrive once it uses memory, so that a slow sender does not hold that memory for minutes. */
export interface MinimumRate {
  /** Ms that are not counted. */
  graceMs: number
  bytesPerSecond: number
}

/** The fields of a form that have pictures, each with the pictures of one person. */
export type SelfieField = 'photo' | 'otherPhoto'

export interface SelfieForm {
  fields: Record<string, unknown>
  /** In the order in which they were sent. */
  selfies: Record<SelfieField, Buffer[]>
}

/** Reads a form with pictures. They stay in memory. All together may be as large as the largest ones of one person. A form
 *  that does not say how long it is has space for one picture of the largest size.
 *  @param most the number of pictures that each field may have
 *  @param admit called when the first picture begins, with the fields that came before it and the bytes of memory that all
 *  pictures may need; what it throws refuses the form before the picture is read
 *  @throws AppError when the form is unreadable, too large or too slow, or has more or other files than it may have. */
export async function readSelfieForm(
  request: FastifyRequest,
  { rate, most }: { rate: MinimumRate; most: Partial<Record<SelfieField, number>> & { photo: number } },
  admit: (fields: Record<string, unknown>, bytes: number) => Promise<void>,
): Promise<SelfieForm> {
  const maxBytes = most.photo * SELFIE_MAX_BYTES
  const bytes = Number(request.headers['content-length'] ?? SELFIE_MAX_BYTES)
  if (bytes > maxBytes + FRAMING_MAX_BYTES) throw selfieTooLarge()
  const fields: Record<string, unknown> = {}
  const selfies: SelfieForm['selfies'] = { photo: [], otherPhoto: [] }
  const arrival = new AbortController()
  let memory: Buffer | undefined
  let watch: NodeJS.Timeout | undefined
  try {
    const limits = {
      ...FORM_LIMITS,
      fileSize: SELFIE_MAX_BYTES,
      files: most.photo + (most.otherPhoto ?? 0) + 1,
    }
    for await (const part of readForm(request, limits, arrival.signal)) {
      if (part.type === 'field') {
        fields[part.fieldname] = part.value
        continue
      }
      // The form's reader refuses names of the prototype, such as "constructor".
      const field = part.fieldname as SelfieField
      const mostOfField = most[field]
      if (mostOfField === undefined) throw unexpectedFile(part.fieldname, 'photo')
      if (selfies[field].length === mostOfField) throw tooManySelfies(mostOfField)
      if (!memory) {
        const size = Math.min(bytes, maxBytes)
        await admit(fields, size)
        watch = watchArrival(request, { ...rate, maxBytes: maxBytes + FRAMING_MAX_BYTES }, arrival)
        memory = Buffer.allocUnsafe(size)
      }
      const selfie = await readPart(readSelfie(part.file, memory, arrival.signal))
      selfies[field].push(selfie)
      memory = memory.subarray(selfie.length)
    }
    return { fields, selfies }
  } finally {
    clearInterval(watch)
  }
}

/** Reads into the beginning of this memory, because joining pieces would need twice as much. */
async function readSelfie(
  file: Readable & { truncated: boolean },
  memory: Buffer,
  signal: AbortSignal,
): Promise<Buffer> {
  const stop = () => file.destroy(signal.reason)
  signal.addEventListener('abort', stop)
  let length = 0
  for await (const chunk of file as AsyncIterable<Buffer>) {
    if (file.truncated || length + chunk.length > memory.length) throw selfieTooLarge()
    length += chunk.copy(memory, length)
  }
  if (file.truncated) throw selfieTooLarge()
  return memory.subarray(0, length)
}

/** Aborts the reading of a form that arrives too slowly, or never ends. */
function watchArrival(
  { raw }: FastifyRequest,
  { graceMs, bytesPerSecond, maxBytes }: MinimumRate & { maxBytes: number },
  arrival: AbortController,
): NodeJS.Timeout {
  const since = performance.now()
  const before = raw.socket.bytesRead
  return setInterval(
    () => {
      const received = raw.socket.bytesRead - before
      const due = ((performance.now() - since - graceMs) / 1000) * bytesPerSecond
      if (received < due) arrival.abort(requestTooSlow())
      else if (received > maxBytes) arrival.abort(selfieTooLarge())
    },
    Math.min(1000, graceMs),
  )
}

export const tooManySelfies = (most: number) =>
  new AppError(
    'BAD_REQUEST',
    most === 1 ? 'Please send one photo only' : `Please send at most ${most} photos of a person`,
  )
export const selfieTooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', 'Please upload an image smaller than 10MB')
