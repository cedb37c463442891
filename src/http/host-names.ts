import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isLoopback } from '../admin/maintainer-access.ts'
import { AppError } from '../errors.ts'
import { OPERATIONS } from './operations.ts'

/** A name or an address, and maybe a port. Answers contain it, so nothing else is accepted. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

const unreadableHost = () => new AppError('BAD_REQUEST', 'The Host header is not the name of a host')
const otherHost = (publicUrl: string) => new AppError('BAD_REQUEST', `Please use this site at ${publicUrl}`)
const unknownHost = () =>
  new AppError(
    'BAD_REQUEST',
    'This Inframe serves only its own machine, under the name localhost. To use another name, set PUBLIC_URL to the address that visitors use, and restart Inframe.',
  )

/** A page of another site runs in a browser of this machine, so it may also send X-Forwarded-Host like a proxy. Both names
 *  have to be local. */
function refusalOfLocal(request: FastifyRequest): AppError | undefined {
  const { host, 'x-forwarded-host': forwarded } = request.headers
  const names = [host, forwarded].flat().filter((name) => name !== undefined)
  if (names.some((name) => !HOST.test(name))) return unreadableHost()
  return names.every((name) => isLoopback(name.replace(/:\d+$/, '').toLowerCase()))
    ? undefined
    : unknownHost()
}

/** Refuses requests for other host names than that of PUBLIC_URL, whatever their port. This machine itself may use
 *  localhost, which gives no rights. Without PUBLIC_URL, a server that only this machine can reach accepts nothing else:
 *  otherwise the page of another site could give its own name the address 127.0.0.1, and then read this site (DNS
 *  rebinding). Balancers and monitoring may use any name or address: what a browser without a cookie can read there is
 *  for everybody. */
export function refuseOtherHosts(
  app: FastifyInstance,
  { publicUrl, host }: { publicUrl: string | undefined; host: string },
): void {
  const publicName = publicUrl && new URL(publicUrl).hostname
  const refusalOf = (request: FastifyRequest) => {
    if (OPERATIONS.includes(request.routeOptions.url ?? '')) return undefined
    if (!publicUrl && isLoopback(host)) return refusalOfLocal(request)
    // Only HTTP/1.0 allows a request without a host, and no browser sends one.
    if (request.host === '') return publicUrl ? otherHost(publicUrl) : undefined
    if (!HOST.test(request.host)) return unreadableHost()
    const name = request.hostname.toLowerCase()
    if (!publicUrl || name === publicName || isLoopback(name)) return undefined
    return otherHost(publicUrl)
  }
  app.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)))
}
