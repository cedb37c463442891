import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** A medium quality: enough for a page of 30 KB, and ten times faster than the highest. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

type Encoding = 'br' | 'gzip'
const COMPRESS: Record<Encoding, (text: string) => Promise<Buffer>> = {
  br: (text) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text) => promisify(gzip)(text),
}

/** Bytes that fit into one packet. Compressing fewer gains nothing. */
const WORTH_COMPRESSING = 1_400

/** Sends a text compressed, if the client accepts that.
 *
 *  The size of a compressed text shows whether two parts of it are alike. So an attacker who can make a visitor's browser
 *  repeat a call, choose a part of the answer, and see its size could guess a secret in it (BREACH). Only these texts may
 *  be sent by this function:
 *  - The pages of the web app, and the description of the calls: they contain no secret.
 *  - Lists of an album's photos (found, matched, browsed): they repeat no text of the request. The signatures in them
 *    are secrets of the visitor. A search by selfie is a POST: for one from another site, browsers do not send the
 *    session cookie, which is SameSite=Lax. Another site can open the lists that are read with GET in a tab, but it can
 *    put no text into the answer. */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  return reply.send(await compressed(request, reply, text))
}

/** The procedures whose answers are lists of an album's photos. */
const PHOTO_LISTS = ['albums.browse', 'submissions.photos']

/** Sends the web app's lists of photos compressed. Over their REST paths they are sent as they are. */
export function compressPhotoLists(trpc: FastifyInstance): void {
  trpc.addHook<unknown>('onSend', async (request, reply, answer) => {
    const { path } = request.params as { path?: string }
    if (!PHOTO_LISTS.includes(path ?? '') || !(answer instanceof Response) || !answer.ok) return answer
    reply.headers(Object.fromEntries(answer.headers))
    return await compressed(request, reply, await answer.text())
  })
}

async function compressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<string | Buffer> {
  const others = reply.getHeader('vary')
  reply.header('vary', others ? `${others}, accept-encoding` : 'accept-encoding')
  if (text.length < WORTH_COMPRESSING) return text
  const accepted = (request.headers['accept-encoding'] ?? '').toLowerCase()
  const encoding = negotiate(accepted, ['br', 'gzip']) as Encoding | null
  if (!encoding) return text
  reply.header('content-encoding', encoding)
  return await COMPRESS[encoding](text)
}

/** Sends a text that clients ask for each time. They get 304 while it has not changed. */
export async function sendCurrent(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  type: string,
): Promise<FastifyReply> {
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply.headers({ 'content-type': type, 'cache-control': 'no-cache', etag })
  if (reply.statusCode === 200 && request.headers['if-none-match'] === etag)
    return reply.code(304).header('vary', 'accept-encoding').send()
  return await sendCompressed(request, reply, text)
}
