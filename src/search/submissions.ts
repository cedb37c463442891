import { setTimeout as pause } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { isUuid } from '../database/uuid.ts'
import { AppError, hasCode } from '../errors.ts'
import { photosLike } from './find-person.ts'
import {
  albumsStillToSearch,
  deleteSubmission,
  findSubmission,
  insertSubmission,
  lockWaitingSubmission,
  markSelfieDeleted,
  recordOutcome,
  SUBMISSION_SECONDS,
  type SubmissionOutcome,
  submissionsOlderThan,
} from './queries.ts'

/** An album that a visitor may search, and as whom. */
export interface SearchableAlbum {
  album: Album
  isOwner: boolean
}

/** A visitor accepts this wait for a page. A match takes about a second. */
export const SELFIE_WAIT_MS = 4_000

/** A selfie that is not matched by then does not keep others from being submitted. */
const MATCHED_WITHIN_MS = 30_000

/** One query on a primary key. */
const ASK_AGAIN_MS = 100

/** At this age a selfie is deleted, matched or not. The purge runs every minute and may be half a minute late, so the
 *  bytes are gone before they are five minutes old. */
const SELFIE_SECONDS = 3 * 60

/** The key of a submission's selfie in storage, until it is matched. */
export function selfieKey(submissionId: string): string {
  return `selfies/${submissionId}`
}

export const selfieNotStored = () =>
  new AppError('SERVICE_UNAVAILABLE', 'The selfie could not be stored in time. Please try again.')
export const submissionGone = () => new AppError('NOT_FOUND', 'These results are no longer available')

/** @throws AppError NOT_FOUND when it does not exist, or no longer exists. */
export async function requireSubmission(db: Db, id: string): Promise<{ outcome: SubmissionOutcome | null }> {
  const submission = isUuid(id) ? await findSubmission(db, id, SUBMISSION_SECONDS) : undefined
  if (!submission) throw submissionGone()
  return submission
}

/** Stores a selfie for the job that matches it, and waits a moment for the outcome.
 *  @param image a decoded selfie
 *  @param hungUp aborts when the visitor has hung up, so that nobody waits any more
 *  @returns the submission's id; undefined when the selfie shows no face or no album has a face. Nothing is kept then.
 *  @throws AppError when storage is unavailable */
export async function submitSelfie(
  deps: Pick<AppContext, 'db' | 'jobs' | 'selfieWaitMs' | 'storage'>,
  albums: SearchableAlbum[],
  image: Buffer,
  hungUp: AbortSignal,
): Promise<string | undefined> {
  const withFaces = albums.filter(({ album }) => album.faces_found > 0)
  if (withFaces.length === 0) return undefined
  const id = await storeSelfie(deps, withFaces, image)
  if ((await outcomeWithin(deps, id, deps.selfieWaitMs, hungUp)) !== 'no_face') return id
  await eraseSubmission(deps, id)
  return undefined
}

/** Stores the selfie after its row and before its job. So after a crash a stored selfie always has a row, by which
 *  the purge finds it.
 *  @returns the submission's id */
async function storeSelfie(
  { db, storage, jobs }: Pick<AppContext, 'db' | 'jobs' | 'storage'>,
  albums: SearchableAlbum[],
  image: Buffer,
): Promise<string> {
  const id = await db.transaction().execute((trx) =>
    insertSubmission(
      trx,
      albums.map(({ album, isOwner }) => ({
        albumId: album.id,
        passwordVersion: isOwner ? null : album.password_version,
        ownerKeyVersion: isOwner ? album.owner_key_version : null,
      })),
    ),
  )
  await storage.write(selfieKey(id), image, 'image/jpeg')
  const isInTime = await db.transaction().execute(async (trx) => {
    if (!(await lockWaitingSubmission(trx, id))) return false
    await jobs.send(trx, 'match-selfie', [{ submissionId: id }])
    return true
  })
  if (isInTime) return id
  // Storage was so slow that the purge is already done with this row and will not delete the file.
  await storage.delete(selfieKey(id))
  throw selfieNotStored()
}

/** Ends when a submission's selfie is matched or given up, at the latest after MATCHED_WITHIN_MS. Never fails. */
export async function untilMatched(deps: Pick<AppContext, 'db'>, id: string): Promise<void> {
  // The database may be away. Then the next selfie says so.
  await outcomeWithin(deps, id, MATCHED_WITHIN_MS).catch(() => {})
}

/** @returns undefined while there is none */
async function outcomeWithin(
  { db }: Pick<AppContext, 'db'>,
  id: string,
  ms: number,
  hungUp?: AbortSignal,
): Promise<string | undefined> {
  const inTime = AbortSignal.timeout(ms)
  const signal = hungUp ? AbortSignal.any([hungUp, inTime]) : inTime
  for (;;) {
    const submission = await findSubmission(db, id)
    // A submission that was deleted meanwhile gets no outcome.
    const outcome = submission ? (submission.outcome ?? undefined) : 'deleted'
    if (outcome || signal.aborted) return outcome
    await pause(ASK_AGAIN_MS, undefined, { signal }).catch(() => {
      // Aborted: it is asked for a last time.
    })
  }
}

/** Matches a submission's selfie, records the outcome in one transaction, and deletes the selfie. May be repeated
 *  after it was cut off at any point. */
export async function matchSubmission(
  deps: Pick<AppContext, 'db' | 'faces' | 'storage' | 'threshold'>,
  id: string,
): Promise<void> {
  const albumIds = await albumsStillToSearch(deps.db, id)
  // It may have been deleted because of its age.
  const image = albumIds.length > 0 && (await unless('NOT_FOUND', deps.storage.read(selfieKey(id))))
  if (image) {
    const found = await unless('UNPROCESSABLE_CONTENT', photosLike(deps, albumIds, { selfies: [{ image }] }))
    await deps.db.transaction().execute((trx) => recordOutcome(trx, id, found ? 'matched' : 'no_face', found))
  }
  await forgetSelfie(deps, id)
}

/** @returns undefined when it fails with this code */
async function unless<Result>(code: AppError['code'], work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (hasCode(error, code)) return undefined
    throw error
  }
}

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
  const late = await submissionsOlderThan(deps.db, SELFIE_SECONDS, { withSelfie: true })
  await each(late, (id) => forgetSelfie(deps, id))
  await each(await submissionsOlderThan(deps.db, SUBMISSION_SECONDS), (id) => eraseSubmission(deps, id))
  // When a crash cuts off the writing of a selfie, the bytes have no key yet.
  await deps.storage.removeAbandoned?.(SELFIE_SECONDS * 1000)
}

/** Goes on after a failure, and fails at the end. */
async function each(ids: string[], work: (id: string) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = []
  for (const id of ids) await work(id).catch((error) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be deleted')
}
