import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { isLoopback } from '../maintainer/maintainer-access.ts'
import { OPERATIONS } from './operations.ts'

/** A name or an address, and maybe a port. Answers contain it, so nothing else is accepted. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

const unreadableHost = () => new AppError('BAD_REQUEST', 'The Host header is not the name of a host')
const otherHost = (publicUrl: string) => new AppError('BAD_REQUEST', `Please use this site at ${publicUrl}`)

/** Refuses requests for other host names than that of PUBLIC_URL, whatever their port. This machine itself may use
 *  localhost, which gives no rights. Balancers and monitoring may use any name or address. */
export function refuseOtherHosts(app: FastifyInstance, publicUrl: string | undefined): void {
  const publicName = publicUrl && new URL(publicUrl).hostname
  const refusalOf = (request: FastifyRequest) => {
    if (OPERATIONS.includes(request.routeOptions.url ?? '')) return undefined
    // Only HTTP/1.0 allows a request without a host.
    if (request.host !== '' && !HOST.test(request.host)) return unreadableHost()
    if (!publicUrl) return undefined
    const name = request.hostname.toLowerCase()
    return name === publicName || isLoopback(name) ? undefined : otherHost(publicUrl)
  }
  app.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)))
}
