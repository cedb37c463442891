import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OpenApiMeta } from 'trpc-openapi'
import { appRouter } from '../api/router.ts'
import { AppError } from '../errors.ts'

/** The name for all addresses that have no route. */
const NO_ROUTE = 'none'

interface Pattern {
  methods: string[]
  path: string
  /** The parts between the slashes. Those that begin with a colon match any text. */
  parts: string[]
}

const patternOf = (method: string | string[], path: string): Pattern => ({
  methods: [method].flat(),
  path,
  parts: path.slice(1).split('/'),
})

/** The procedures by their full names, such as `albums.list`; tRPC's types say otherwise. */
const PROCEDURES = appRouter._def.procedures as unknown as Record<string, { _def: { meta?: OpenApiMeta } }>

/** The one route from which trpc-openapi serves the REST calls, and their patterns. */
const CALLS = '/api/*'
const REST_PATTERNS = Object.values(PROCEDURES).flatMap(({ _def: { meta } }) =>
  meta?.openapi
    ? patternOf(meta.openapi.method, `/api${meta.openapi.path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
    : [],
)

/** The pattern of a request's route, for logs and metrics. It is never the path, which may contain an album's name or a
 *  key. It is always one of a fixed set, whatever path a caller makes up. */
export function routeOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  if (request.is404 || url === undefined) return NO_ROUTE
  const params = request.params as Record<string, string>
  if (url === CALLS) {
    const given = ['api', ...params['*']!.split('/')]
    const ofMethod = REST_PATTERNS.filter(({ methods }) => methods.includes(request.method))
    return ofMethod.find(({ parts }) => fits(given, parts))?.path ?? url
  }
  if (url.startsWith('/trpc/')) {
    const name = params.path ?? ''
    return Object.hasOwn(PROCEDURES, name) ? `/trpc/${name}` : url
  }
  // Each file of the build has its own route.
  return url.startsWith('/assets/') ? '/assets/*' : url
}

/** @param given the parts of a path */
function fits(given: string[], parts: string[]): boolean {
  const fitsPart = (part: string, index: number) =>
    part.startsWith(':') ? given[index] !== '' : given[index] === part
  return given.length === parts.length && parts.every(fitsPart)
}

/** Collects the routes that are registered after this call.
 *  @returns a hook that refuses a request whose address has routes for other methods only, with 405 and their names (RFC 9110,
 *    15.5.6) */
export function collectMethods(app: FastifyInstance): (request: FastifyRequest, reply: Replying) => void {
  const routes: Pattern[] = []
  app.addHook('onRoute', ({ method, url }) => {
    if (url === CALLS) routes.push(...REST_PATTERNS)
    else if (!url.includes('*')) routes.push(patternOf(method, url))
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

/** Lets the routes of calls answer HEAD as GET: Node sends no body, because it has read the method before. The plugins
 *  would answer each HEAD with 204. */
export function asGet(raw: { method?: string | undefined; url?: string | undefined }): void {
  if (raw.method === 'HEAD' && /^\/(api|trpc)\//.test(raw.url!)) raw.method = 'GET'
}
