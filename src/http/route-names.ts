import type { FastifyRequest } from 'fastify'
import type { OpenApiMeta } from 'trpc-openapi'
import { appRouter } from '../api/router.ts'

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
