import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findZip } from '../zips/find-zip.ts'
import { readZip, requireFreeZip } from '../zips/read-zip.ts'
import { byteRange } from './byte-range.ts'
import type { AppServices } from './services.ts'
import { answerVisit } from './site.ts'

type ZipRequest = FastifyRequest<{ Params: { token: string } }>

/** The route of the zips. Their tokens give the right. */
export function registerZipFiles(app: FastifyInstance, services: AppServices): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/zips/:token',
    errorHandler: answerVisit,
    handler: (request: ZipRequest, reply) => sendZip(services, request, reply),
  })
}

async function sendZip(services: AppServices, request: ZipRequest, reply: FastifyReply) {
  const { filename, etag, ...zip } = await findZip(services.db, request.params.token)
  const { size } = zip.layout
  const isSame = [undefined, etag].includes(request.headers['if-range'] as string | undefined)
  const range = isSame ? byteRange(request.headers.range, size) : undefined
  reply
    .header('accept-ranges', 'bytes')
    .header('etag', etag)
    // A proxy that compresses or keeps it would change its length or need room for all of it.
    .header('cache-control', 'private, no-transform')
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send()
  const { start, end } = range ?? { start: 0, end: size }
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${size}`)
  reply
    .header('content-type', 'application/zip')
    .header('content-length', end - start)
    .header('content-disposition', contentDisposition(filename, { type: 'attachment' }))
  if (request.method === 'HEAD') return reply.send()
  requireFreeZip()
  // One chunk at a time, so that what is sent slowly is not read early.
  return reply.send(Readable.from(readZip(services, zip, { start, end }), { highWaterMark: 1 }))
}
