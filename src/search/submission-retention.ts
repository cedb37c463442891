import type { AppContext } from '../context.ts'
import type { Db } from '../database/client.ts'
import { isUuid } from '../database/uuid.ts'
import { AppError } from '../errors.ts'
import {
  deleteSubmission,
  findSubmission,
  markSelfieDeleted,
  type SubmissionOutcome,
  submissionsOlderThan,
  submissionsWithSelfie,
} from './queries.ts'
import { findResults, type MatchPlace } from './result-queries.ts'

/** At this age a selfie is deleted, matched or not. The purge runs every minute and may be half a minute late, so the
 *  bytes are gone before they are five minutes old. */
const SELFIE_SECONDS = 3 * 60
const SUBMISSION_SECONDS = 60 * 60

/** The key of a submission's selfie in storage, until it is matched. */
export function selfieKey(submissionId: string): string {
  return `selfies/${submissionId}`
}

/** @throws AppError NOT_FOUND when it does not exist, or no longer exists. */
export async function requireSubmission(db: Db, id: string): Promise<{ outcome: SubmissionOutcome | null }> {
  const submission = isUuid(id) ? await findSubmission(db, id, SUBMISSION_SECONDS) : undefined
  if (!submission) throw submissionGone()
  return submission
}

/** The matches of a submission, best first, and how many it has in all.
 *  @param page up to `limit` that come after a place; without them, all
 *  @throws AppError NOT_FOUND when it does not exist, or no longer exists. */
export async function requireResults(
  db: Db,
  id: string,
  page: { after?: MatchPlace | undefined; limit?: number | undefined },
) {
  const query = { maxAgeSeconds: SUBMISSION_SECONDS, ...page }
  const results = isUuid(id) ? await findResults(db, id, query) : undefined
  if (!results) throw submissionGone()
  return results
}

export const submissionGone = () => new AppError('NOT_FOUND', 'These results are no longer available')

/** Deletes a selfie's bytes, and only then marks its row. So after a crash in between, the row still leads to them. A
 *  submission without an outcome becomes `expired`. May be repeated. */
export async function forgetSelfie(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  submissionId: string,
): Promise<void> {
  await storage.delete(selfieKey(submissionId))
  await markSelfieDeleted(db, submissionId)
}

/** Erases a submission for a visitor who has its id: selfie, matches and row.
 *  @throws AppError NOT_FOUND */
export async function withdrawSubmission(
  deps: Pick<AppContext, 'db' | 'storage'>,
  id: string,
): Promise<void> {
  await requireSubmission(deps.db, id)
  if (!(await eraseSubmission(deps, id))) throw submissionGone()
}

/** Deletes the row last, because the selfie is found by it.
 *  @returns false when it was already gone */
export async function eraseSubmission(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  id: string,
): Promise<boolean> {
  await storage.delete(selfieKey(id))
  return await deleteSubmission(db, id)
}

/** Deletes the selfies that were not matched in time, and the submissions that are an hour old. */
export async function purgeSubmissions(deps: Pick<AppContext, 'db' | 'storage'>): Promise<void> {
  await each(await submissionsWithSelfie(deps.db, SELFIE_SECONDS), (id) => forgetSelfie(deps, id))
  await each(await submissionsOlderThan(deps.db, SUBMISSION_SECONDS), (id) => eraseSubmission(deps, id))
  // When a crash cuts off the writing of a selfie, the bytes have no key yet.
  await deps.storage.removeAbandoned?.(SELFIE_SECONDS * 1000)
}

/** Goes on after a failure, and fails at the end. */
async function each(ids: string[], work: (id: string) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = []
  for (const id of ids) {
    try {
      await work(id)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be deleted')
}
