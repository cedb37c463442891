import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OpenApiMeta } from 'trpc-openapi'
import { appRouter } from '../api/router.ts'
import { AppError } from '../errors.ts'

/** The name for all addresses that have no route. */
const NO_ROUTE = 'none'

interface Pattern {
  method: string
  path: string
  /** The parts between the slashes after /api/. Those that begin with a colon match any text. */
  parts: string[]
}

/** The procedures by their full names, such as `albums.list`; tRPC's types say otherwise. */
const PROCEDURES = appRouter._def.procedures as unknown as Record<string, { _def: { meta?: OpenApiMeta } }>

const inFastifysForm = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** The patterns of the REST calls, which trpc-openapi serves from one wildcard route. */
export const REST_PATTERNS = Object.values(PROCEDURES).flatMap((procedure): Pattern[] => {
  const { method, path } = procedure._def.meta?.openapi ?? {}
  if (!method || !path) return []
  const named = inFastifysForm(path)
  return [{ method, path: `/api${named}`, parts: named.slice(1).split('/') }]
})

/** The pattern of a request's route, for logs and metrics. It is never the path, which may contain an album's name or a
 *  key. It is always one of a fixed set, whatever path a caller makes up. */
export function routeOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  if (request.is404 || url === undefined) return NO_ROUTE
  const params = request.params as Record<string, string>
  if (url === '/api/*') {
    const given = params['*']!.split('/')
    const found = REST_PATTERNS.find(({ method, parts }) => method === request.method && fits(given, parts))
    return found?.path ?? url
  }
  if (url.startsWith('/trpc/')) {
    const name = params.path ?? ''
    return Object.hasOwn(PROCEDURES, name) ? `/trpc/${name}` : url
  }
  // Each file of the build has its own route.
  return url.startsWith('/assets/') ? '/assets/*' : url
}

/** @param given the parts of a path */
export function fits(given: string[], parts: string[]): boolean {
  const fitsPart = (part: string, index: number) =>
    part.startsWith(':') ? given[index] !== '' : given[index] === part
  return given.length === parts.length && parts.every(fitsPart)
}

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
    if (url === CALLS) routes.push(...REST_PATTERNS.map((call) => patternOf(call.method, call.path)))
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

const patternOf = (method: string | string[], path: string): Route => ({
  methods: [method].flat(),
  parts: path.slice(1).split('/'),
})

/** Lets the routes of calls answer HEAD as GET: Node sends no body, because it has read the method before. The plugins
 *  would answer each HEAD with 204. */
export function asGet(raw: { method?: string | undefined; url?: string | undefined }): void {
  if (raw.method === 'HEAD' && /^\/(api|trpc)\//.test(raw.url!)) raw.method = 'GET'
}
