import type { FastifyRequest } from 'fastify'
import type { OpenApiMeta } from 'trpc-openapi'
import { appRouter } from '../api/router.ts'

/** What stands for every address that is nobody's. */
const NO_ROUTE = 'none'

interface Pattern {
  method: string
  path: string
  matches: RegExp
}

/** By their whole names, such as `albums.list`, whatever tRPC's types say. */
const PROCEDURES = appRouter._def.procedures as unknown as Record<string, { _def: { meta?: OpenApiMeta } }>

/** trpc-openapi serves all its calls from one wildcard. */
const REST_PATTERNS = Object.values(PROCEDURES).flatMap((procedure): Pattern[] => {
  const { method, path } = procedure._def.meta?.openapi ?? {}
  if (!method || !path) return []
  return [
    {
      method,
      path: `/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      matches: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    },
  ]
})

/** The pattern of the route that a request went to. Never its path, which may hold an album's name or a key; and
 *  one of a fixed set, whatever callers make up. */
export function routeOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  if (request.is404 || url === undefined) return NO_ROUTE
  const params = request.params as Record<string, string>
  if (url === '/api/*') {
    const path = `/${params['*']}`
    const found = REST_PATTERNS.find(({ method, matches }) => method === request.method && matches.test(path))
    return found?.path ?? url
  }
  if (url.startsWith('/trpc/')) {
    const name = params.path ?? ''
    return name in PROCEDURES ? `/trpc/${name}` : url
  }
  // Each file of the build is a route of its own.
  return url.startsWith('/assets/') ? '/assets/*' : url
}
