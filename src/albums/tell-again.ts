import type { Actor } from '../audit/audit-log.ts'
import type { Trx } from '../database/client.ts'
import type { Keyring } from '../keyring.ts'
import { hashAsker } from '../mail/recipients.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import { forgetTold } from './letter-queries.ts'

/** Sends the owner another letter about the opt-outs. A new key or address has ended the links of the former letters,
 *  which leave the outbox. */
export async function tellOptOutsAgain(
  { keyring, jobs }: { keyring: Keyring; jobs: JobSender },
  trx: Trx,
  albumId: string,
  by: Actor,
): Promise<void> {
  const formerLetters = await forgetTold(trx, albumId)
  if (formerLetters.length > 0) await jobs.send(trx, queues.removeLetters, [{ letters: formerLetters }])
  const owner = hashAsker(keyring, by.address)
  await jobs.send(trx, queues.tellOptOuts, [{ albumId }], { owner })
}
