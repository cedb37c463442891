import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Credentials } from '../api/maintainer.ts'
import type { AppContext } from '../context.ts'
import { callerNetwork } from './caller.ts'
import { routeOf } from './routes.ts'
import { hasMaintainerSession } from './session.ts'

export const OPERATIONS = ['/healthz', '/readyz', '/metrics']

/** The routes of every process for balancers and the maintainer. Everybody may ask whether the process is ready. Only
 *  the maintainer gets the state of its dependencies and the metrics. */
export function registerOperations(
  app: FastifyInstance,
  { metrics, readiness, maintainers }: Pick<AppContext, 'maintainers' | 'metrics' | 'readiness'>,
): void {
  const [health, ready, figures] = OPERATIONS as [string, string, string]

  app.get(health, (_request, reply) => reply.header('cache-control', 'no-store').send({ alive: true }))

  app.get(ready, async (request, reply) => {
    const isReady = await readiness.isReady()
    // The readiness itself has no limit: a balancer that sends a wrong token must not remove this process.
    const showsDetails = await maintainers.isMaintainer(callerOf(request)).catch(() => false)
    const details = showsDetails && {
      ...(readiness.isStopping() && { stopping: true }),
      dependencies: await readiness.dependencies(),
    }
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready: isReady, ...details })
  })

  app.get(figures, async (request, reply) => {
    await maintainers.require(callerOf(request))
    const text = await metrics.text()
    return reply.header('cache-control', 'no-store').type(metrics.contentType).send(text)
  })
}

function callerOf(request: FastifyRequest): Credentials {
  return {
    isMaintainer: hasMaintainerSession(request),
    authorization: request.headers.authorization,
    address: callerNetwork(request.ip),
  }
}

/** Gives each answer the id of its request, logs a line for each answer, and counts it in the metrics. The
 *  log and the metrics contain nothing about the visitor: no address, and no path, which has album names and keys. */
export function watchRequests(app: FastifyInstance, { metrics }: Pick<AppContext, 'metrics'>): void {
  // This hook has a callback, not a promise: trpc-openapi's handler returns before a promise would settle, and then
  // Fastify would treat the reply as unsent and send another one.
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request)
    const { method } = request
    // `aborted`: the visitor left before the end of the answer.
    const status = reply.raw.writableFinished ? reply.statusCode : 'aborted'
    const ms = Math.round(reply.elapsedTime)
    metrics.httpRequests.observe({ method, route, status }, reply.elapsedTime / 1000)
    // A balancer asks every second or more often, so these requests are logged at debug level.
    const level = OPERATIONS.includes(route) ? 'debug' : 'info'
    request.log[level]({ method, route, status, ms }, 'A request was answered')
    done()
  })
}
