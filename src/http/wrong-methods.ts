import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { fits, REST_PATTERNS } from './route-names.ts'

const CALLS = '/api/*'

interface Route {
  methods: string[]
  parts: string[]
}

/** Collects the routes that are registered after this call.
 *  @returns a hook that refuses a request whose address has routes for other methods only, with 405 and their names (RFC 9110,
 *    15.5.6) */
export function collectMethods(app: FastifyInstance): (request: FastifyRequest, reply: Replying) => void {
  const routes: Route[] = []
  app.addHook('onRoute', ({ method, url }) => {
    // trpc-openapi has one route for all of its calls.
    if (url === CALLS) routes.push(...REST_PATTERNS.map((call) => routeOf(call.method, call.path)))
    else if (!url.includes('*')) routes.push(routeOf(method, url))
  })
  return (request, reply) => {
    if (!request.is404 && request.routeOptions.url !== CALLS) return
    const given = request.url.split('?')[0]!.slice(1).split('/')
    const methods = new Set(
      routes.filter(({ parts }) => fits(given, parts)).flatMap((route) => route.methods),
    )
    // HEAD is answered wherever GET is: see asGet.
    if (methods.has('GET')) methods.add('HEAD')
    if (methods.size === 0 || methods.has(request.method)) return
    reply.header('allow', [...methods].sort().join(', '))
    throw new AppError('METHOD_NOT_SUPPORTED', `${request.method} is not possible at this address`)
  }
}

type Replying = { header(name: string, value: string): unknown }

const routeOf = (method: string | string[], path: string): Route => ({
  methods: [method].flat(),
  parts: path.slice(1).split('/'),
})

/** Lets the routes of calls answer HEAD as GET: Node sends no body, because it has read the method before. The plugins
 *  would answer each HEAD with 204. */
export function asGet(raw: { method?: string | undefined; url?: string | undefined }): void {
  if (raw.method === 'HEAD' && /^\/(api|trpc)\//.test(raw.url!)) raw.method = 'GET'
}
