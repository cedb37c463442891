import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** A medium quality: enough for a page of 30 KB, and ten times faster than the highest. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const COMPRESS = {
  br: (text: string) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text: string) => promisify(gzip)(text),
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
  const others = reply.getHeader('vary')
  reply.header('vary', others ? `${others}, accept-encoding` : 'accept-encoding')
  if (text.length < WORTH_COMPRESSING) return reply.send(text)
  const encoding = negotiate((request.headers['accept-encoding'] ?? '').toLowerCase(), ['br', 'gzip'])
  if (!encoding) return reply.send(text)
  return reply.header('content-encoding', encoding).send(await COMPRESS[encoding](text))
}
