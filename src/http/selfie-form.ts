import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { SELFIE_MAX_BYTES } from '../contract/limits.ts'
import { AppError } from '../errors.ts'
import { FORM_LIMITS, readForm, readPart, unexpectedFile } from './forms.ts'
import { requestTooSlow } from './unreadable-requests.ts'

/** More than the fields and the framing of a form need. */
const FRAMING_MAX_BYTES = 100_000
const FORM_MAX_BYTES = SELFIE_MAX_BYTES + FRAMING_MAX_BYTES

/** How fast a form has to arrive once it uses memory, so that a slow sender does not hold that memory for minutes. */
export interface MinimumRate {
  /** Ms that are not counted. */
  graceMs: number
  bytesPerSecond: number
}

export interface SelfieForm {
  fields: Record<string, unknown>
  selfie: Buffer | undefined
}

/** Reads a form with one picture. The picture stays in memory.
 *  @param admit called when the picture begins, with the fields that came before it and the bytes of memory that the
 *  picture may need; what it throws refuses the form before the picture is read
 *  @throws AppError when the form is unreadable, too large or too slow, or has another file than one `photo`. */
export async function readSelfieForm(
  request: FastifyRequest,
  rate: MinimumRate,
  admit: (fields: Record<string, unknown>, bytes: number) => Promise<void>,
): Promise<SelfieForm> {
  const bytes = Number(request.headers['content-length'] ?? SELFIE_MAX_BYTES)
  if (bytes > FORM_MAX_BYTES) throw selfieTooLarge()
  const fields: Record<string, unknown> = {}
  const arrival = new AbortController()
  let selfie: Buffer | undefined
  let watch: NodeJS.Timeout | undefined
  try {
    const limits = { ...FORM_LIMITS, fileSize: SELFIE_MAX_BYTES, files: 2 }
    for await (const part of readForm(request, limits, arrival.signal)) {
      if (part.type === 'field') {
        fields[part.fieldname] = part.value
        continue
      }
      if (part.fieldname !== 'photo') throw unexpectedFile(part.fieldname, 'photo')
      if (selfie) throw tooManySelfies()
      const size = Math.min(bytes, SELFIE_MAX_BYTES)
      await admit(fields, size)
      watch = watchArrival(request, rate, arrival)
      selfie = await readPart(readSelfie(part.file, size, arrival.signal))
    }
    return { fields, selfie }
  } finally {
    clearInterval(watch)
  }
}

/** Reads into one piece of memory, because joining pieces would need twice as much. */
async function readSelfie(
  file: Readable & { truncated: boolean },
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const stop = () => file.destroy(signal.reason)
  signal.addEventListener('abort', stop)
  const memory = Buffer.allocUnsafe(maxBytes)
  let length = 0
  for await (const chunk of file as AsyncIterable<Buffer>) {
    if (file.truncated) throw selfieTooLarge()
    length += chunk.copy(memory, length)
  }
  if (file.truncated) throw selfieTooLarge()
  return memory.subarray(0, length)
}

/** Aborts the reading of a form that arrives too slowly, or never ends. */
function watchArrival(
  { raw }: FastifyRequest,
  { graceMs, bytesPerSecond }: MinimumRate,
  arrival: AbortController,
): NodeJS.Timeout {
  const since = performance.now()
  const before = raw.socket.bytesRead
  return setInterval(
    () => {
      const received = raw.socket.bytesRead - before
      const due = ((performance.now() - since - graceMs) / 1000) * bytesPerSecond
      if (received < due) arrival.abort(requestTooSlow())
      else if (received > FORM_MAX_BYTES) arrival.abort(selfieTooLarge())
    },
    Math.min(1000, graceMs),
  )
}

export const tooManySelfies = () => new AppError('BAD_REQUEST', 'Please send one photo only')
export const selfieTooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', 'Please upload an image smaller than 10MB')
