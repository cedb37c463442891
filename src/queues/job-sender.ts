import { fromKysely, type PgBoss } from 'pg-boss'
import type { Trx } from '../database/client.ts'
import type { Queue } from './queue.ts'
import { nextTurn, priorityOfTurn } from './turn-queries.ts'

export interface SendOptions {
  /** The jobs may begin after this many seconds. */
  afterSeconds?: number
  /** How many earlier jobs of this owner are not done yet. It lets owners, such as albums, take turns: each turn runs
   *  one job of each owner. These jobs get the turns after the earlier ones. A new owner gets the turn after the current
   *  one, so it waits for at most two jobs of each other owner. A turn that has come gets no more jobs, so nobody waits
   *  forever. Without this option, the jobs that were sent first come first. */
  backlog?: number
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
    async send(trx, queue, payloads, { afterSeconds = 0, backlog } = {}) {
      if (payloads.length === 0) return
      const firstTurn = backlog === undefined ? undefined : (await nextTurn(trx, queue.name)) + 1 + backlog
      await boss.insert(
        queue.name,
        payloads.map((data, index) => ({
          data,
          startAfter: afterSeconds,
          ...(firstTurn !== undefined && { priority: priorityOfTurn(firstTurn + index) }),
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
