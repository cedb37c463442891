import helmet from '@fastify/helmet'
import { type FastifyInstance, fastify } from 'fastify'
import type { AppServices } from './services.ts'

type PolicyServices = Pick<AppServices, 'analyticsMeasurementId' | 'storage'>

/** Gives every answer the security headers of Helmet. Helmet would make the same ones for each request, so it makes them
 *  once. */
export async function registerSecurityHeaders(
  app: FastifyInstance,
  secure: boolean,
  services: PolicyServices,
): Promise<void> {
  const headers = await headersOfHelmet(contentPolicy(secure, services))
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

async function headersOfHelmet(policy: ReturnType<typeof contentPolicy>): Promise<Record<string, string>> {
  const sample = fastify()
  await sample.register(helmet, policy)
  sample.get('/', async (_request, reply) => reply.getHeaders())
  const answer = await sample.inject('/')
  await sample.close()
  return answer.json()
}

/** The security headers. With analytics the content security policy allows what "Use Tag Manager with a Content
 *  Security Policy" in Google's documentation names for Google Analytics 4. It also allows photos from the file
 *  storage when their addresses redirect to it. */
function contentPolicy(secure: boolean, { analyticsMeasurementId, storage }: PolicyServices) {
  const analytics = analyticsMeasurementId !== undefined
  const tag = analytics ? ['https://www.googletagmanager.com'] : []
  const collectors = analytics ? ['https://*.google-analytics.com', 'https://*.analytics.google.com'] : []
  const photos = storage.direct ? [storage.direct.origin] : []
  return {
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
    referrerPolicy: { policy: 'same-origin' as const },
  }
}
