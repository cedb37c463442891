import type { Trx } from '../database/client.ts'
import type { TableWrittenAgain } from '../database/rewrite-queries.ts'
import type { JobSender } from './job-sender.ts'
import { queues } from './queues.ts'

/** A table cannot be used while it is written again, so many erasures share a job. What is left of the hour is for trying
 *  again. */
const AFTER_SECONDS = 45 * 60

/** Sends the jobs that write tables again, so that what this transaction deletes can no longer be read in their files.
 *  They run within the hour. */
export async function forgetErased(
  jobs: JobSender,
  trx: Trx,
  tables: readonly TableWrittenAgain[],
): Promise<void> {
  await jobs.send(
    trx,
    queues.forgetErased,
    tables.map((table) => ({ table })),
    { afterSeconds: AFTER_SECONDS },
  )
}
