import { createHash } from 'node:crypto'
import { fromKysely, type PgBoss } from 'pg-boss'
import type { Trx } from '../database/client.ts'
import type { Queue } from './queue.ts'
import { countWaitingJobs, nextTurn, priorityOfTurn } from './turn-queries.ts'

export interface SendOptions {
  /** The jobs may begin after this many seconds. */
  afterSeconds?: number
  /** How many earlier jobs of the same album are not done yet. It lets albums take turns: each turn runs one job of each
   *  album. These jobs get the turns after the earlier ones. A new album gets the turn after the current one, so it waits
   *  for at most two jobs of each other album. A turn that has come gets no more jobs, so nobody waits forever. Without
   *  this option and `owner`, the jobs that were sent first come first. */
  backlog?: number
  /** Whose jobs these are, as a keyed hash. A queue may limit how many jobs of one owner run at once. Without `backlog` the
   *  owners take turns, and the jobs of this one that wait are counted. That reads all jobs that wait, so it is for queues
   *  with few. */
  owner?: Buffer
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
    async send(trx, queue, payloads, { afterSeconds = 0, owner, backlog: known } = {}) {
      if (payloads.length === 0) return
      const group = owner && { id: owner.toString('hex') }
      const backlog = known ?? (group && (await countWaitingJobs(trx, queue.name, group.id)))
      const firstTurn = backlog === undefined ? undefined : (await nextTurn(trx, queue.name)) + 1 + backlog
      await boss.insert(
        queue.name,
        payloads.map((data, index) => ({
          data,
          startAfter: afterSeconds,
          ...(group && { group }),
          ...(firstTurn !== undefined && { priority: priorityOfTurn(firstTurn + index) }),
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
