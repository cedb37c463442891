import type { AppContext } from '../context.ts'
import { hasCode } from '../errors.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { type PhotosLike, photosLike } from './photos-like.ts'
import { albumsStillToSearch, recordOutcome } from './queries.ts'
import { forgetSelfie, selfieKey } from './submission-retention.ts'

/** Matches a submission's selfie, records the outcome in one transaction, and deletes the selfie. May be repeated
 *  after it was cut off at any point. */
export async function matchSubmission(
  deps: Pick<AppContext, 'db' | 'faces' | 'storage' | 'threshold'>,
  submissionId: string,
): Promise<void> {
  const albumIds = await albumsStillToSearch(deps.db, submissionId)
  const selfie = albumIds.length > 0 && (await readSelfie(deps.storage, submissionId))
  if (selfie) {
    const found = await foundIn(deps, albumIds, selfie)
    await deps.db
      .transaction()
      .execute((trx) => recordOutcome(trx, submissionId, found ? 'matched' : 'no_face', found))
  }
  await forgetSelfie(deps, submissionId)
}

/** @returns undefined when the selfie has been deleted */
async function readSelfie(storage: FileStorage, submissionId: string): Promise<Buffer | undefined> {
  try {
    return await storage.read(selfieKey(submissionId))
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) return undefined
    throw error
  }
}

/** What is found in all the albums; undefined when the selfie shows no face. */
async function foundIn(
  deps: Pick<AppContext, 'db' | 'faces' | 'threshold'>,
  albumIds: string[],
  selfie: Buffer,
): Promise<PhotosLike | undefined> {
  try {
    return await photosLike(deps, albumIds, { selfies: [{ image: selfie }] })
  } catch (error) {
    if (hasCode(error, 'UNPROCESSABLE_CONTENT')) return undefined
    throw error
  }
}
