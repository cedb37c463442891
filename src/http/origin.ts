import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** The beginning of all addresses in an answer, without a slash at its end: PUBLIC_URL, or the address that the request
 *  was sent to. Empty when neither is known: HTTP/1.0 allows a request without a host. */
export function originOf({ publicUrl }: { publicUrl: string | undefined }, request: FastifyRequest): string {
  if (publicUrl || !request.host) return publicUrl ?? ''
  return `${request.protocol === 'https' ? 'https' : 'http'}://${request.host}`
}

/** The path and query of a request. A client may send the whole address instead, and then the host in it replaces the
 *  Host header (RFC 9112, section 3.2.2). */
export function pathOf(raw: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const target = raw.url!
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return target
  const { host, pathname, search } = new URL(target)
  raw.headers.host = host
  return pathname + search
}
