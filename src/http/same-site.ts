import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses calls that change something when a browser says that another site's page makes them. The session
 *  cookie is SameSite=Lax already; this also covers the calls that need no cookie. Clients that are no browser
 *  send neither header. */
export function refuseOtherSites(app: FastifyInstance, publicUrl: string | undefined): void {
  const publicOrigin = publicUrl && new URL(publicUrl).origin
  app.addHook('onRequest', async (request) => {
    if (READING.has(request.method) || isSameSite(request, publicOrigin)) return
    throw new AppError('FORBIDDEN', 'This call came from the page of another site')
  })
}

function isSameSite(request: FastifyRequest, publicOrigin: string | undefined): boolean {
  const { origin } = request.headers
  if (origin === undefined) return request.headers['sec-fetch-site'] !== 'cross-site'
  if (origin === publicOrigin) return true
  return URL.canParse(origin) && new URL(origin).host === request.host
}
