import type { Trx } from '../database/client.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import { forgetTold } from './letter-queries.ts'

/** Sends the owner another letter about the opt-outs. A new key or address has ended the links of the former letters,
 *  which leave the outbox. */
export async function tellOptOutsAgain(jobs: JobSender, trx: Trx, albumId: string): Promise<void> {
  const formerLetters = await forgetTold(trx, albumId)
  if (formerLetters.length > 0) await jobs.send(trx, queues.removeLetters, [{ letters: formerLetters }])
  await jobs.send(trx, queues.tellOptOuts, [{ albumId }])
}
