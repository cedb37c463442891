import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fastifyTRPCOpenApiPlugin } from 'trpc-openapi'
import { appRouter } from '../api/router.ts'
import type { CallContext } from '../api/trpc.ts'
import type { AppError } from '../errors.ts'
import { errorBody, errorHeaders, reportFailure } from './errors.ts'
import { hungUp } from './hung-up.ts'
import { originOf } from './origin.ts'
import type { AppServices } from './services.ts'
import { visitorOf } from './session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The error of a REST call that failed; the answer's body is written from it. */
    failure: AppError | undefined
  }
}

/** Serves the tRPC procedures at their REST paths. */
export async function registerRest(app: FastifyInstance, services: AppServices): Promise<void> {
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
