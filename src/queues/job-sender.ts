import { createHash } from 'node:crypto'
import { fromKysely, type PgBoss } from 'pg-boss'
import type { Trx } from '../database/client.ts'
import type { Queue } from './queue.ts'

export interface SendOptions {
  /** The jobs may begin after this many seconds. */
  afterSeconds?: number
  /** How many earlier jobs of the same album are not done yet. It lets albums take turns: the first job of each comes before
   *  the second of any. Without it, the jobs that were sent first come first. */
  backlog?: number
  /** Jobs of one group do not take all places of their queue. */
  group?: string
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
    async send(trx, queue, payloads, { afterSeconds = 0, backlog, group } = {}) {
      if (payloads.length === 0) return
      await boss.insert(
        queue.name,
        payloads.map((data, index) => ({
          data,
          startAfter: afterSeconds,
          // pg-boss takes higher priorities first, and of equal ones the older job.
          ...(backlog !== undefined && { priority: -(backlog + index) }),
          ...(group && { group: { id: group } }),
          ...(queue.policy !== 'standard' && { singletonKey: keyOfPayload(data) }),
        })),
        { db: fromKysely(trx) },
      )
    },
    async dropWaiting(queue) {
      await boss.deleteQueuedJobs(queue.name)
    },
  }
}

/** Equal for equal payloads. Hashed, because the index of pg-boss takes at most 2,704 bytes. */
const keyOfPayload = (data: object) =>
  createHash('sha256').update(Object.values(data).join(' ')).digest('base64url')
