import { isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Whether the call was made on this machine. A stranger cannot write anything into a request that makes it count as
 *  local: the socket's address decides, and headers of a proxy only make it count as not local.
 *
 *  A page of another website in a browser on this machine also counts as local. Its POSTs are refused: they would need
 *  a JSON content type, and so a permission (CORS) that it does not get. It cannot read the answers to its GETs. */
export function isLocalCall(request: FastifyRequest): boolean {
  return (
    isLoopback(request.socket.remoteAddress ?? '') &&
    !Object.keys(request.headers).some(isFromProxy) &&
    // By default, nginx before 1.29.7 uses HTTP/1.0 for the servers behind it and adds no headers.
    request.raw.httpVersion !== '1.0' &&
    // When a stranger's host name leads to this machine (DNS rebinding), the browser still sends that name.
    namesLoopback(request.headers.host ?? '')
  )
}

function isFromProxy(header: string): boolean {
  return header.startsWith('x-forwarded-') || ['forwarded', 'via', 'x-real-ip'].includes(header)
}

function isLoopback(address: string): boolean {
  const ipv4 = address.replace(/^::ffff:/i, '')
  return address === '::1' || (isIPv4(ipv4) && ipv4.startsWith('127.'))
}

function namesLoopback(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return name === 'localhost' || name === '[::1]' || (isIPv4(name) && isLoopback(name))
}
