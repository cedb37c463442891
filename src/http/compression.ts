import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerNetwork } from './caller.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** A medium quality: enough for a page of 30 KB, and ten times faster than the highest. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

type Encoding = 'br' | 'gzip'
const COMPRESS: Record<Encoding, (text: string) => Promise<Buffer>> = {
  br: (text) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text) => promisify(gzip)(text),
}

/** Texts that are compressed at the same time, in all and for one network. The threads that do it also read files, and they
 *  need the processor that answers. */
const AT_ONCE = { inAll: 2, ofNetwork: 1 }
const compressing: string[] = []

/** Bytes that fit into one packet. Compressing fewer gains nothing. */
const WORTH_COMPRESSING = 1_400

/** Sends a text compressed, if the client accepts that and few texts are being compressed.
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
  const encoding = encodingFor(request)
  const bytes = encoding && (await compressInTurn(text, encoding, callerNetwork(request.ip)))
  if (!bytes) return text
  reply.header('content-encoding', encoding)
  return bytes
}

/** @returns undefined when too many are being compressed */
async function compressInTurn(
  text: string,
  encoding: Encoding,
  network: string,
): Promise<Buffer | undefined> {
  const own = compressing.filter((other) => other === network).length
  if (compressing.length >= AT_ONCE.inAll || own >= AT_ONCE.ofNetwork) return undefined
  compressing.push(network)
  try {
    return await COMPRESS[encoding](text)
  } finally {
    compressing.splice(compressing.indexOf(network), 1)
  }
}

const encodingFor = ({ headers }: FastifyRequest) =>
  negotiate((headers['accept-encoding'] ?? '').toLowerCase(), ['br', 'gzip']) as Encoding | null

/** Compresses a text that never changes and contains no secret, once.
 *  @returns what answers a request with it, or with 304 */
export async function prepareAnswer(
  text: string,
  type: string,
): Promise<(request: FastifyRequest, reply: FastifyReply) => FastifyReply> {
  const plain = Buffer.from(text)
  const bodies = { br: await COMPRESS.br(text), gzip: await COMPRESS.gzip(text) }
  const etag = etagOf(text)
  return (request, reply) => {
    reply.headers({ vary: 'accept-encoding', 'cache-control': 'no-cache', etag })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const encoding = encodingFor(request)
    if (encoding) reply.header('content-encoding', encoding)
    return reply.type(type).send(encoding ? bodies[encoding] : plain)
  }
}

export function etagOf(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

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
