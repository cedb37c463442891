import type { Db } from '../database/client.ts'
import { isUuid } from '../database/uuid.ts'

/** Whether a submission still has its results. */
export async function hasResults(db: Db, submissionId: string): Promise<boolean> {
  if (!isUuid(submissionId)) return false
  const row = await db
    .selectFrom('submissions')
    .select('id')
    .where('id', '=', submissionId)
    .executeTakeFirst()
  return row !== undefined
}
