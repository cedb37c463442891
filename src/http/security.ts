import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isLoopback } from '../admin/maintainer-access.ts'
import type { AppContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { OPERATIONS } from './operations.ts'

/** The security headers. With analytics the content security policy allows what "Use Tag Manager with a Content
 *  Security Policy" in Google's documentation names for Google Analytics 4. It also allows photos from the file
 *  storage when their addresses redirect to it. */
export async function registerSecurityHeaders(
  app: FastifyInstance,
  secure: boolean,
  { analyticsMeasurementId, storage }: Pick<AppContext, 'analyticsMeasurementId' | 'storage'>,
): Promise<void> {
  const analytics = analyticsMeasurementId !== undefined
  const tag = analytics ? ['https://www.googletagmanager.com'] : []
  const collectors = analytics ? ['https://*.google-analytics.com', 'https://*.analytics.google.com'] : []
  const photos = storage.direct ? [storage.direct.origin] : []
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        // Previews of chosen photos are blob addresses.
        imgSrc: ["'self'", 'blob:', 'data:', ...photos, ...tag, ...collectors],
        scriptSrc: ["'self'", ...tag],
        connectSrc: ["'self'", ...tag, ...collectors],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        // Helmet's default would send a plain-http site's own requests to https.
        upgradeInsecureRequests: secure ? [] : null,
      },
    },
    hsts: secure,
    referrerPolicy: { policy: 'same-origin' },
  })
}

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
