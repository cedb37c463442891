import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Credentials, isMaintainer, requireMaintainer } from '../api/maintainer.ts'
import type { MaintainerAccess } from '../maintainer/access.ts'
import type { Metrics } from '../metrics.ts'
import type { Readiness } from './readiness.ts'
import { hasMaintainerSession } from './session.ts'

export const OPERATIONS = ['/healthz', '/readyz', '/metrics']

interface MonitoredServices {
  metrics: Metrics
  readiness: Readiness
  maintainerAccess: MaintainerAccess
}

/** The routes of every process for balancers and operators. Everybody may ask whether the process is ready. Only the
 *  maintainer gets the state of its dependencies and the metrics. */
export function registerOperations(
  app: FastifyInstance,
  { metrics, readiness, maintainerAccess }: MonitoredServices,
): void {
  const [health, ready, figures] = OPERATIONS as [string, string, string]

  app.get(health, (_request, reply) => reply.header('cache-control', 'no-store').send({ alive: true }))

  app.get(ready, async (request, reply) => {
    const isReady = await readiness.isReady()
    const details = isMaintainer(callerOf(request), maintainerAccess) && {
      ...(readiness.isStopping() && { stopping: true }),
      dependencies: await readiness.dependencies(),
    }
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready: isReady, ...details })
  })

  app.get(figures, async (request, reply) => {
    requireMaintainer(callerOf(request), maintainerAccess)
    const text = await metrics.text()
    return reply.header('cache-control', 'no-store').type(metrics.contentType).send(text)
  })
}

function callerOf(request: FastifyRequest): Credentials {
  return { isMaintainer: hasMaintainerSession(request), authorization: request.headers.authorization }
}
