import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/** The calls take an object of texts. */
const MAX_DEPTH = 10

const tooDeep = () =>
  new AppError('BAD_REQUEST', `The request body is nested too deeply (at most ${MAX_DEPTH} levels)`)

/** Refuses JSON whose values are too deep inside each other. trpc-openapi would write such a body as JSON again, which
 *  needs one call on the stack for each level, and more calls than the stack has room for. */
export function limitJsonDepth(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    parse(request, body, (error, value) =>
      error === null && isDeeper(value, MAX_DEPTH) ? done(tooDeep()) : done(error, value),
    ),
  )
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1))
}
