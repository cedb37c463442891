import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, sendCompressed } from './compression.ts'

/** Sends a page that is written for each request. Browsers ask for it each time, and get 304 while it has not changed. */
export async function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
): Promise<FastifyReply> {
  const etag = etagOf(page)
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').header('etag', etag)
  if (reply.statusCode === 200 && request.headers['if-none-match'] === etag)
    return reply.code(304).header('vary', 'accept-encoding').send()
  return await sendCompressed(request, reply, page)
}
