import { isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Whether somebody on this very machine makes the call. Nothing in it that a stranger can write may make it
 *  so: the socket says where it comes from, and what a proxy adds only ever speaks against it.
 *
 *  The page of another site, open in a browser on this machine, counts as local too. Its POSTs are refused: they
 *  would need a JSON content type, and so a permission (CORS) that it does not get. Its GETs it cannot read. */
export function isLocalCall(request: FastifyRequest): boolean {
  return (
    isLoopback(request.socket.remoteAddress ?? '') &&
    !Object.keys(request.headers).some(isFromProxy) &&
    // nginx before 1.29.7 speaks 1.0 to what stands behind it and, unless told to, adds no header of its own.
    request.raw.httpVersion !== '1.0' &&
    // A page whose name was made to lead to this machine (DNS rebinding) still sends its own name.
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
