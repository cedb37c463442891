import { randomUUID } from 'node:crypto'
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import { type AppRouter, appRouter } from '../api/router.ts'
import type { AppContext } from '../context.ts'
import { hungUp, originOf } from './caller.ts'
import { compressPhotoLists } from './compression.ts'
import {
  errorHeaders,
  failureToAnswer,
  handleErrors,
  nothingHere,
  reportFailure,
  sendError,
} from './errors.ts'
import { LIMITS, type Limits, limitConnections, MAX_BATCH, serverLimits } from './limits.ts'
import { registerDocs } from './openapi.ts'
import { registerOperations, watchRequests } from './operations.ts'
import { registerPhotoFiles } from './photo-files.ts'
import { limitJsonDepth, registerOneClick, registerRest } from './rest.ts'
import { refuseOtherHosts, refuseOtherSites, registerSecurityHeaders } from './security.ts'
import { registerSession, visitorOf } from './session.ts'
import { registerSite, wantsPage, withWholeEscapes } from './site.ts'
import { registerUploads } from './uploads.ts'
import { registerZipFiles } from './zip-files.ts'

/** The server of a worker process. It only answers whether the process works. */
export function buildWorkerApp(services: AppContext): FastifyInstance {
  const app = createServer(services, LIMITS)
  app.setNotFoundHandler((request, reply) => sendError(nothingHere(), request, reply))
  return app
}

export async function buildApp(services: AppContext, limits = LIMITS): Promise<FastifyInstance> {
  const secure = services.publicUrl?.startsWith('https:') ?? false
  const app = createServer(services, limits)
  await registerSecurityHeaders(app, secure, services)
  refuseOtherHosts(app, services)
  refuseOtherSites(app, services.publicUrl)
  await registerSession(app, { db: services.db, keyring: services.keyring, secure })
  await app.register(
    async (api) => {
      api.addHook('onSend', (_request, reply, _payload, done) => {
        reply.header('cache-control', 'no-store')
        done()
      })
      limitJsonDepth(api)
      await registerUploads(api, services, limits)
      await registerRest(api, services)
    },
    { prefix: '/api' },
  )
  const trpc = trpcOptions(services)
  await app.register(
    async (scope) => {
      fastifyTRPCPlugin(scope, trpc, () => {})
      // No call takes a form, and tRPC would read one of any size into memory.
      scope.removeContentTypeParser('multipart/form-data')
      compressPhotoLists(scope)
    },
    { prefix: trpc.prefix },
  )
  registerPhotoFiles(app, services)
  registerZipFiles(app, services)
  await registerOneClick(app, services)
  await registerDocs(app)
  await registerSite(app, services)
  return app
}

/** Creates a server that answers errors, stops without cutting off requests, and has the routes of OPERATIONS. */
function createServer(services: AppContext, limits: Limits): FastifyInstance {
  const app = fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: services.trustProxy,
    ...serverLimits(limits),
    genReqId: () => randomUUID(),
    // An address that is too long for a call is refused by the call, which says why. Node limits it to 16 KB.
    routerOptions: { maxParamLength: 16 * 1024 },
    rewriteUrl: (raw) => (wantsPage(raw) ? withWholeEscapes(raw.url!) : raw.url!),
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply)
    },
  })
  limitConnections(app, limits, services.readiness)
  handleErrors(app)
  watchRequests(app, services)
  registerOperations(app, services)
  return app
}

function trpcOptions(services: AppContext): FastifyTRPCPluginOptions<AppRouter> & { prefix: string } {
  return {
    prefix: '/trpc',
    trpcOptions: {
      router: appRouter,
      maxBatchSize: MAX_BATCH,
      createContext: ({ req, res }) => ({
        services,
        visitor: visitorOf(req),
        isRest: false,
        origin: originOf(services, req),
        setHeader: (name, value) => void res.header(name, value),
        hungUp: () => hungUp(res),
      }),
      onError: ({ error, req }) => {
        reportFailure(error, req)
      },
      // When calls of a batch failed in different ways, the headers are those of the first failure.
      responseMeta: ({ errors }) => ({
        headers: {
          ...errors.map((error) => errorHeaders(failureToAnswer(error)))[0],
          'cache-control': 'no-store',
        },
      }),
    },
  }
}
