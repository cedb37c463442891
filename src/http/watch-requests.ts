import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { OPERATIONS } from './operations.ts'
import { routeOf } from './route-names.ts'

/** As proxies and tracers make them, and nothing that could break a log's line or be somebody's name. */
const SANE_ID = /^[A-Za-z0-9._-]{8,64}$/

/** Gives each request its id, and each answer that id, a line in the log and a place in the metrics. Neither holds
 *  anything of the visitor's: no address, and no path, in which album names and keys stand. */
export function watchRequests(app: FastifyInstance, { log, metrics }: { log: Log; metrics: Metrics }): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const given = request.headers['x-request-id']
    // More than one address is known only when a proxy that is trusted has said so.
    const isFromProxy = (request.ips?.length ?? 0) > 1
    if (isFromProxy && typeof given === 'string' && SANE_ID.test(given)) {
      request.id = given
      request.log = log.child({ reqId: given }) as FastifyBaseLogger
    }
    done()
  })
  // Hooks on sending call back at once: trpc-openapi's handler returns before a promise would have settled, and
  // Fastify then takes the reply for unsent and sends another.
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request)
    const { method } = request
    // The visitor left before the end of the answer.
    const status = reply.raw.writableFinished ? reply.statusCode : 'aborted'
    const ms = Math.round(reply.elapsedTime)
    metrics.httpRequests.observe({ method, route, status }, reply.elapsedTime / 1000)
    // A balancer asks every second, or more often.
    const level = OPERATIONS.includes(route) ? 'debug' : 'info'
    request.log[level]({ method, route, status, ms }, 'A request was answered')
    done()
  })
}
