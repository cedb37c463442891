import { setTimeout as pause } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { findSubmission, insertSubmission, lockWaitingSubmission } from './queries.ts'
import { eraseSubmission, selfieKey } from './submission-retention.ts'

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

/** Stores a selfie for the job that matches it, and waits a moment for the outcome.
 *  @param image as normaliseSelfie gives it
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

export const selfieNotStored = () =>
  new AppError('SERVICE_UNAVAILABLE', 'The selfie could not be stored in time. Please try again.')

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
