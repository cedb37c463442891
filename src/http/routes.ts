import type { FastifyRequest } from 'fastify'
import type { OpenApiMeta } from 'trpc-openapi'
import { appRouter } from '../api/router.ts'

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
