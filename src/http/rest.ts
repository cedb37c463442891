import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fastifyTRPCOpenApiPlugin } from 'trpc-openapi'
import { endOwnerLetters } from '../albums/owner-address.ts'
import { endAlert } from '../alerts/alert-answers.ts'
import { appRouter } from '../api/router.ts'
import type { CallContext } from '../api/trpc.ts'
import type { AppContext } from '../context.ts'
import { PAGES } from '../contract/pages.ts'
import { AppError } from '../errors.ts'
import { hungUp, originOf } from './caller.ts'
import { errorBody, errorHeaders, reportFailure } from './errors.ts'
import { visitorOf } from './session.ts'

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

declare module 'fastify' {
  interface FastifyRequest {
    /** The error of a REST call that failed; the answer's body is written from it. */
    failure: AppError | undefined
  }
}

/** Serves the tRPC procedures at their REST paths. */
export async function registerRest(app: FastifyInstance, services: AppContext): Promise<void> {
  app.decorateRequest('failure', undefined)

  // Replaces the plugin's error bodies by those of the service.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.failure) return done(null, payload)
    reply.headers(errorHeaders(request.failure))
    done(null, JSON.stringify(errorBody(request.failure, request)))
  })

  await app.register(fastifyTRPCOpenApiPlugin, {
    router: appRouter,
    // The plugin passes Fastify's own request and reply, although its types say otherwise.
    createContext: ({ req, res }: { req: unknown; res: unknown }): CallContext => ({
      services,
      visitor: visitorOf(req as FastifyRequest),
      isRest: true,
      origin: originOf(services, req as FastifyRequest),
      setHeader: (name, value) => void (res as FastifyReply).header(name, value),
      hungUp: () => hungUp(res as FastifyReply),
    }),
    onError: ({ error, req }: { error: unknown; req: unknown }) => {
      const request = req as FastifyRequest
      request.failure = reportFailure(error, request)
    },
  })
}

/** Answers mail programs, which end letters by a POST to the address in a letter's header (RFC 8058 §3.2). People who
 *  open the same address get the page with the button: programs that check the links of a letter open them, too. */
export async function registerOneClick(app: FastifyInstance, services: AppContext): Promise<void> {
  await app.register(async (scope) => {
    // The body, a form, always says the same.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))

    const ENDINGS = [
      [PAGES.stopLetters.path, endOwnerLetters],
      [PAGES.photoLetters.path, endAlert],
    ] as const
    for (const [path, end] of ENDINGS)
      scope.post<{ Querystring: { token?: unknown } }>(path, async (request, reply) => {
        const { address } = visitorOf(request)
        const { hadEnded } = await end(services, { token: String(request.query.token ?? ''), address })
        return reply.header('cache-control', 'no-store').send({ hadEnded })
      })
  })
}
