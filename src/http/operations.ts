import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Credentials, MaintainerCheck } from '../api/maintainer.ts'
import type { Metrics } from '../metrics.ts'
import { callerNetwork } from './caller-network.ts'
import type { Readiness } from './readiness.ts'
import { hasMaintainerSession } from './session.ts'

export const OPERATIONS = ['/healthz', '/readyz', '/metrics']

interface MonitoredServices {
  metrics: Metrics
  readiness: Readiness
  maintainers: MaintainerCheck
}

/** The routes of every process for balancers and the maintainer. Everybody may ask whether the process is ready. Only
 *  the maintainer gets the state of its dependencies and the metrics. */
export function registerOperations(
  app: FastifyInstance,
  { metrics, readiness, maintainers }: MonitoredServices,
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
