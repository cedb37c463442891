import { AppError } from '../errors.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { albumsStillToSearch, recordOutcome } from './queries.ts'
import { photosLike, type SearchDeps } from './search-album.ts'
import { forgetSelfie, selfieKey } from './submission-retention.ts'

type Deps = Omit<SearchDeps, 'links' | 'decoders'> & { storage: FileStorage }

/** Matches a submission's selfie, records the outcome in one transaction, and deletes the selfie. May be repeated
 *  after it was cut off at any point. */
export async function matchSubmission(deps: Deps, submissionId: string): Promise<void> {
  const albumIds = await albumsStillToSearch(deps.db, submissionId)
  const selfie = albumIds.length > 0 && (await readSelfie(deps.storage, submissionId))
  if (selfie) {
    const matches = await matchesIn(deps, albumIds, selfie)
    await deps.db
      .transaction()
      .execute((trx) => recordOutcome(trx, submissionId, matches ? 'matched' : 'no_face', matches))
  }
  await forgetSelfie(deps, submissionId)
}

/** @returns undefined when the selfie has been deleted */
async function readSelfie(storage: FileStorage, submissionId: string): Promise<Buffer | undefined> {
  try {
    return await storage.read(selfieKey(submissionId))
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** Photos of all the albums, with their similarity; undefined when the selfie shows no face. */
async function matchesIn(
  deps: Deps,
  albumIds: string[],
  selfie: Buffer,
): Promise<Map<string, number> | undefined> {
  try {
    return await photosLike(deps, albumIds, selfie)
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNPROCESSABLE_CONTENT') return undefined
    throw error
  }
}
