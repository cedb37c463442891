import type { Db } from '../database/client.ts'
import { hasCode } from '../errors.ts'
import { queues } from '../queues/queues.ts'
import { secondsWaited } from '../queues/waiting-queries.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { type MatchDeps, photosLike } from './photos-like.ts'
import { albumsStillToSearch, recordOutcome } from './queries.ts'
import { forgetSelfie, selfieKey } from './submission-retention.ts'

/** Slow engines need far less than the five minutes after which a selfie is deleted to match so many. */
const MOST_WAITING = 100

type Deps = MatchDeps & { storage: FileStorage }

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

/** About how long a selfie that is submitted now waits for the others, in seconds: as long as the next one has waited. Holds
 *  for any number of processes that match selfies, however fast they are. Infinity while too many wait. */
export function secondsUntilMatched(db: Db): Promise<number> {
  return secondsWaited(db, queues.matchSelfie, MOST_WAITING)
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

/** Photos of all the albums, with their similarity; undefined when the selfie shows no face. */
async function matchesIn(
  deps: Deps,
  albumIds: string[],
  selfie: Buffer,
): Promise<Map<string, number> | undefined> {
  try {
    const { sure } = await photosLike(deps, albumIds, { selfies: [{ image: selfie }] })
    return new Map(sure.map(({ photoId, similarity }) => [photoId, similarity]))
  } catch (error) {
    if (hasCode(error, 'UNPROCESSABLE_CONTENT')) return undefined
    throw error
  }
}
