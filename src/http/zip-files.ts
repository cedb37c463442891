import type { IncomingHttpHeaders } from 'node:http'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countGuests } from '../albums/guest-counts.ts'
import type { AppContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { createLimiter } from '../processes/limiter.ts'
import { type FoundZip, findZip, zipEnded } from '../zips/find-zip.ts'
import { partOfToken } from '../zips/zip-address.ts'
import { partOf, partToSend } from './byte-range.ts'
import { callerNetwork, hungUp } from './caller.ts'
import { visitorOf } from './session.ts'
import { answerVisit } from './site.ts'

type ZipRequest = FastifyRequest<{ Params: { token: string } }>

/** Zips that this process sends at once. One network leaves some to the next. */
const SENT_AT_ONCE = { running: 500, perKey: 400, waiting: 500, waitMs: 10_000 }

/** Ms without a byte, after which a connection is closed. A proxy in front of a slow visitor may take megabytes at once, and
 *  then nothing for minutes. */
const SILENCE_MS = 600_000

/** The route of the zips. Their addresses give the right. */
export function registerZipFiles(app: FastifyInstance, services: AppContext): void {
  const sending = createLimiter({ ...SENT_AT_ONCE, refusal: manyDownloads })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/zips/:token',
    errorHandler: answerFault,
    handler: async (request: ZipRequest, reply) => {
      const part = partOfToken(services.keyring, request.params.token)
      if (!part) throw zipEnded()
      const asker = { network: callerNetwork(request.ip), signal: hungUp(reply) }
      await sending.run(
        asker.network,
        async () => {
          const zip = await findZip(services, part, begunOf(request))
          const range = answerHeaders(zip, request, reply)
          if (range?.start === 0)
            await countGuests(services.db, zip.albumId, visitorOf(request), () => ({
              taken_home: part.photos.length,
            }))
          // It has its place until it is sent.
          await reply.send(range && partOf(zip.open(asker), range))
        },
        asker,
      )
      return reply
    },
  })
}

/** Without the headers of the zip, which Fastify leaves. With them a browser would save the error's text as the zip. */
function answerFault(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  for (const name of ['accept-ranges', 'content-disposition', 'content-range', 'content-type', 'etag'])
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
  reply.header('cache-control', 'private, no-transform').header('x-accel-buffering', 'no')
  const range = partToSend(request, reply, { etag, size })
  if (!range) return undefined
  reply
    .header('content-type', 'application/zip')
    .header('content-disposition', contentDisposition(filename, { type: 'attachment' }))
  reply.raw.setTimeout(SILENCE_MS)
  return request.method === 'HEAD' ? undefined : range
}

export const manyDownloads = () =>
  new AppError('SERVICE_UNAVAILABLE', 'Many people are downloading. Please try again in a moment.', {
    retryAfter: 10,
    isBusy: true,
  })
