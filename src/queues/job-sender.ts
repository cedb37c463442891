import { fromKysely, type PgBoss } from 'pg-boss'
import type { Trx } from '../database/client.ts'
import type { Queue } from './queue.ts'

export interface SendOptions {
  /** The jobs may begin after this many seconds. */
  afterSeconds?: number
}

/** How a module asks for work to be done later. */
export interface JobSender {
  /** Sends one job per payload as part of the transaction: the jobs exist exactly when its rows do. */
  send<Payload extends object>(
    trx: Trx,
    queue: Queue<Payload>,
    payloads: NoInfer<Payload>[],
    options?: SendOptions,
  ): Promise<void>
  /** Drops the jobs that wait in a queue. */
  dropWaiting(queue: Queue): Promise<void>
}

export function createJobSender(boss: PgBoss): JobSender {
  return {
    async send(trx, queue, payloads, { afterSeconds = 0 } = {}) {
      if (payloads.length === 0) return
      await boss.insert(
        queue.name,
        payloads.map((data) => ({
          data,
          startAfter: afterSeconds,
          ...(queue.isExclusive && { singletonKey: Object.values(data).join(' ') }),
        })),
        { db: fromKysely(trx) },
      )
    },
    async dropWaiting(queue) {
      await boss.deleteQueuedJobs(queue.name)
    },
  }
}
