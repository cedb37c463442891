import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Answers what a request asks of a file besides its bytes: conditions (RFC 9110, section 13) and a range. Sets the status
 *  and the headers of both.
 *  @param file.etag a strong one
 *  @returns which bytes to send; undefined when the answer has no part of the file */
export function partToSend(
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
  { etag, size }: { etag: string; size: number },
): { start: number; end: number } | undefined {
  reply.header('accept-ranges', 'bytes').header('etag', etag)
  if (!names(headers['if-match'] ?? '*', [etag])) return void reply.code(412)
  // A proxy that compresses makes a strong one weak.
  if (names(headers['if-none-match'], [etag, `W/${etag}`])) return void reply.code(304)
  const isSame = [undefined, etag].includes(headers['if-range'] as string | undefined)
  // HEAD knows no ranges (RFC 9110, section 14.2).
  const range = isSame && method === 'GET' ? byteRange(headers.range, size) : undefined
  if (range === 'unsatisfiable') return void reply.code(416).header('content-range', `bytes */${size}`)
  const { start, end } = range ?? { start: 0, end: size }
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${size}`)
  reply.header('content-length', end - start)
  return { start, end }
}

/** Whether a list of etags has one of these. */
function names(list: string | undefined, etags: string[]): boolean {
  return list?.split(',').some((one) => ['*', ...etags].includes(one.trim())) ?? false
}

/** The part of a file that a request asks for: `end` is the place after its last byte.
 *  @param header the Range header (RFC 9110, section 14). Several ranges at once, and units other than bytes, may be ignored
 *  @returns undefined for the whole file, 'unsatisfiable' when the file has none of these bytes */
export function byteRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, first, last] = header?.trim().match(/^bytes=\s*(\d*)-(\d*)$/i) ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  // The last so many bytes.
  if (first === '') return withinFile(Math.max(size - Number(last), 0), size, size)
  if (last !== '' && Number(last) < Number(first)) return undefined
  return withinFile(Number(first), last === '' ? size : Number(last) + 1, size)
}

function withinFile(start: number, end: number, size: number) {
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size) }
}

/** The bytes of a stream from `start` up to the byte before `end`. What comes before them is read, too. */
export function partOf(
  stream: AsyncIterable<Buffer>,
  { start, end }: { start: number; end: number },
): Readable {
  async function* bytes(): AsyncGenerator<Buffer> {
    let at = 0
    for await (const chunk of stream) {
      const part = chunk.subarray(Math.max(start - at, 0), Math.max(end - at, 0))
      at += chunk.length
      if (part.length > 0) yield part
      if (at >= end) return
    }
  }
  // One chunk at a time, so that what is sent slowly is not read early.
  return Readable.from(bytes(), { highWaterMark: 1 })
}
