import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createTurns } from '../processes/turns.ts'
import { type FoundZip, findZip } from '../zips/find-zip.ts'
import { readZip, zipEnded } from '../zips/read-zip.ts'
import { partOfToken } from '../zips/zip-address.ts'
import { partToSend } from './byte-range.ts'
import { callerNetwork } from './caller-network.ts'
import { hungUp } from './hung-up.ts'
import type { MinimumRate } from './selfie-form.ts'
import type { AppServices } from './services.ts'
import { answerVisit } from './site.ts'
import { createZipSlots, manyDownloads, type ZipLimits, type ZipSlots } from './zip-slots.ts'

type ZipRequest = FastifyRequest<{ Params: { token: string } }>

/** Zips that are looked up at once, so that a flood of requests leaves the database to others. One network has a place
 *  less than there are. */
const LOOKED_UP_AT_ONCE = { places: 4, perOwner: 3 }
/** Ms that a request waits for its turn. */
const LOOKUP_WAIT_MS = 10_000

/** The route of the zips. Their addresses give the right. */
export function registerZipFiles(app: FastifyInstance, services: AppServices, limits: ZipLimits): void {
  const inTurn = createTurns(LOOKED_UP_AT_ONCE)
  const slots = createZipSlots(limits.atOnce)
  app.route({
    method: ['GET', 'HEAD'],
    url: '/zips/:token',
    errorHandler: answerFault,
    handler: async (request: ZipRequest, reply) => {
      const network = callerNetwork(request.ip)
      const part = partOfToken(services.keyring, request.params.token)
      if (!part) throw zipEnded()
      const until = AbortSignal.any([hungUp(reply), AbortSignal.timeout(LOOKUP_WAIT_MS)])
      const zip = await inTurn(network, until, () => findZip(services, part, begunOf(request)))
      if (!zip) throw manyDownloads()
      const range = answerHeaders(zip, request, reply)
      if (!range) return reply.send()
      const end = beginDownload(request, reply, slots, { network, rate: limits.rate })
      try {
        const blocks = readZip(services, zip, range, slots.taken)
        // What fails before the first byte still gets an answer with its reason.
        const first = await blocks.next()
        // One chunk at a time, so that what is sent slowly is not read early.
        return reply.send(Readable.from(beginningWith(first, blocks), { highWaterMark: 1 }))
      } catch (error) {
        end()
        throw error
      }
    },
  })
}

/** Without the headers of the zip, which Fastify leaves. With them a browser would save the error's text as the zip. */
function answerFault(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  for (const name of ['accept-ranges', 'content-disposition', 'content-range', 'etag'])
    reply.removeHeader(name)
  return answerVisit(error, request, reply)
}

/** The etag of the download that a browser continues. It names it in one of these two headers. */
function begunOf({ headers }: ZipRequest): string | undefined {
  return headers.range === undefined ? undefined : (ifRangeOf(headers) ?? headers['if-match'])
}

const ifRangeOf = (headers: IncomingHttpHeaders) => headers['if-range'] as string | undefined

/** @returns which bytes to send; undefined when the answer has no body */
function answerHeaders(
  { etag, size, filename }: FoundZip,
  request: ZipRequest,
  reply: FastifyReply,
): { start: number; end: number } | undefined {
  // A proxy that compresses or keeps it would change its length or need room for all of it.
  reply.header('cache-control', 'private, no-transform')
  const range = partToSend(request, reply, { etag, size })
  if (!range) return undefined
  reply
    .header('content-type', 'application/zip')
    .header('content-disposition', contentDisposition(filename, { type: 'attachment' }))
  return request.method === 'HEAD' ? undefined : range
}

/** Takes a slot, until the answer or its connection ends. The connection of a visitor who takes the answer too slowly is
 *  closed, so that nobody keeps a slot without taking bytes.
 *  @returns ends it before */
function beginDownload(
  { raw: { socket }, params, session }: ZipRequest,
  { raw: answer }: FastifyReply,
  slots: ZipSlots,
  { network, rate: { graceMs, bytesPerSecond } }: { network: string; rate: MinimumRate },
): () => void {
  const giveBack = slots.take({
    network,
    session: session.get('id'),
    address: params.token,
    stop: () => socket.destroy(),
  })
  let before = socket.bytesWritten
  const watch = setInterval(() => {
    const taken = socket.bytesWritten - before
    if (taken < (graceMs / 1000) * bytesPerSecond) socket.destroy()
    before = socket.bytesWritten
  }, graceMs)
  const end = () => {
    clearInterval(watch)
    giveBack()
    socket.off('close', end)
  }
  answer.once('close', end)
  // An answer that waits behind another one of its connection does not hear of the connection's end.
  socket.once('close', end)
  if (socket.destroyed) end()
  return end
}

async function* beginningWith<T>(
  first: IteratorResult<T, void>,
  others: AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  try {
    if (!first.done) yield first.value
    yield* others
  } finally {
    await others.return()
  }
}
