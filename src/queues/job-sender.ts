import { fromKysely, type PgBoss } from 'pg-boss'
import type { Trx } from '../database/client.ts'
import type { Queue } from './queue.ts'
import { nextTurn, priorityOfTurn } from './turn-queries.ts'

export interface SendOptions {
  /** The jobs may begin after this many seconds. */
  afterSeconds?: number
  /** Lets the owners of a queue's jobs, such as albums, take turns: how many earlier jobs of this owner are not done yet.
   *  One job of each owner runs in each turn, and these jobs get the turns that follow the earlier ones. An owner without
   *  earlier jobs gets the turn after the current one. So it waits for two jobs of each other owner at most, however many
   *  they have, and no owner is overtaken for ever: a turn that has come gets no more jobs. Without this option, jobs come
   *  first that were sent first. */
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
