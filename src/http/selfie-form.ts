import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { SELFIE_MAX_BYTES } from '../contract/limits.ts'
import { AppError } from '../errors.ts'
import { tooManySelfies } from '../search/selfie.ts'
import { FORM_LIMITS, readForm, readPart, unexpectedFile } from './forms.ts'
import { requestTooSlow } from './limits.ts'

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
 *  @param rate for each picture that it has space for
 *  @param most the number of pictures that each field may have
 *  @param longestField characters
 *  @param admit called when the first picture begins, with the fields that came before it and the bytes of memory that all
 *  pictures may need, and whether they come more slowly than they have to, without the grace; what it throws refuses the
 *  form before the picture is read; what it returns ends the reading when it aborts
 *  @throws AppError when the form is unreadable, too large or too slow, or has more or other files than it may have. */
export async function readSelfieForm(
  request: FastifyRequest,
  {
    rate,
    most,
    longestField,
  }: {
    rate: MinimumRate
    most: Partial<Record<SelfieField, number>> & { photo: number }
    longestField: number
  },
  admit: (fields: Record<string, unknown>, bytes: number, isBehind: () => boolean) => Promise<AbortSignal>,
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
      fieldSize: longestField + 1,
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
        // A form with space for three selfies must not hold it three times as long.
        const bytesPerSecond = rate.bytesPerSecond * Math.ceil(size / SELFIE_MAX_BYTES)
        const arriving = arrivalOf(request, bytesPerSecond)
        const gone = await admit(fields, size, () => arriving.isBehind(0))
        const giveUp = () => arrival.abort(gone.reason)
        gone.addEventListener('abort', giveUp)
        if (gone.aborted) giveUp()
        watch = watchArrival(arriving, rate.graceMs, maxBytes + FRAMING_MAX_BYTES, arrival)
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

interface Arriving {
  /** Bytes from now on. */
  received(): number
  /** Whether fewer came than should. @param graceMs that are not counted */
  isBehind(graceMs: number): boolean
}

function arrivalOf({ raw }: FastifyRequest, bytesPerSecond: number): Arriving {
  const since = performance.now()
  const before = raw.socket.bytesRead
  const received = () => raw.socket.bytesRead - before
  const due = (graceMs: number) => ((performance.now() - since - graceMs) / 1000) * bytesPerSecond
  return { received, isBehind: (graceMs) => received() < due(graceMs) }
}

/** Aborts the reading of a form that arrives too slowly, or never ends. */
function watchArrival(
  arriving: Arriving,
  graceMs: number,
  maxBytes: number,
  arrival: AbortController,
): NodeJS.Timeout {
  return setInterval(
    () => {
      if (arriving.isBehind(graceMs)) arrival.abort(requestTooSlow())
      else if (arriving.received() > maxBytes) arrival.abort(selfieTooLarge())
    },
    Math.min(1000, graceMs),
  )
}

export const selfieTooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', 'Please upload an image smaller than 10MB')
