import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

const fromAnotherSite = () => new AppError('FORBIDDEN', 'This call came from the page of another site')

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses a call that changes something when the browser says that a page of another site makes it. The session
 *  cookie is SameSite=Lax anyway; this also protects calls that need no cookie. Clients other than browsers send
 *  neither header, so they pass. */
export function refuseOtherSites(app: FastifyInstance, publicUrl: string | undefined): void {
  const publicOrigin = publicUrl && new URL(publicUrl).origin
  app.addHook('onRequest', (request, _reply, done) => {
    const isAllowed = READING.has(request.method) || isSameSite(request, publicOrigin)
    done(isAllowed ? undefined : fromAnotherSite())
  })
}

function isSameSite(request: FastifyRequest, publicOrigin: string | undefined): boolean {
  const { origin } = request.headers
  if (origin === undefined) return request.headers['sec-fetch-site'] !== 'cross-site'
  if (origin === publicOrigin) return true
  return URL.canParse(origin) && new URL(origin).host === request.host
}
