import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { Decoders, SelfieSender } from '../photos/decoders.ts'
import type { JobSender } from '../queues/job-sender.ts'
import type { Notifications } from '../queues/notifications.ts'
import { queues } from '../queues/queues.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { findSubmission, insertSubmission, lockWaitingSubmission, outcomeKey } from './queries.ts'
import { normaliseSelfie } from './selfie.ts'
import { eraseSubmission, selfieKey } from './submission-retention.ts'

interface Deps {
  db: Db
  storage: FileStorage
  decoders: Decoders
  jobs: JobSender
  notifications: Notifications
  /** Ms that the request waits for the outcome. Within them the answer can say that the selfie shows no face. */
  selfieWaitMs: number
}

/** An album that a visitor may search, and as whom. */
export interface SearchableAlbum {
  album: Album
  isOwner: boolean
}

/** A visitor accepts this wait for a page. A match takes about a second. */
export const SELFIE_WAIT_MS = 4_000

/** Stores a selfie for the job that matches it, and waits a moment for the outcome.
 *  @param caller.signal aborts when the visitor has hung up, so that nobody waits any more
 *  @returns the submission's id; undefined when the selfie shows no face or no album has a face. Nothing is kept then.
 *  @throws AppError when the selfie is not a readable image, or storage is unavailable */
export async function submitSelfie(
  deps: Deps,
  albums: SearchableAlbum[],
  selfie: Buffer,
  caller: SelfieSender,
): Promise<string | undefined> {
  const image = await normaliseSelfie(deps.decoders, selfie, caller)
  const withFaces = albums.filter(({ album }) => album.faces_found > 0)
  if (withFaces.length === 0) return undefined
  const id = await storeSelfie(deps, withFaces, image)
  if (!(await isWithoutFace(deps, id, caller.signal))) return id
  await eraseSubmission(deps, id)
  return undefined
}

/** Stores the selfie after its row and before its job. So after a crash a stored selfie always has a row, by which
 *  the purge finds it.
 *  @returns the submission's id */
async function storeSelfie(
  { db, storage, jobs }: Deps,
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
    await jobs.send(trx, queues.matchSelfie, [{ submissionId: id }])
    return true
  })
  if (isInTime) return id
  // Storage was so slow that the purge is already done with this row and will not delete the file.
  await storage.delete(selfieKey(id))
  throw selfieNotStored()
}

export const selfieNotStored = () =>
  new AppError('SERVICE_UNAVAILABLE', 'The selfie could not be stored in time. Please try again.')

async function isWithoutFace(
  { db, notifications, selfieWaitMs }: Deps,
  id: string,
  hungUp: AbortSignal,
): Promise<boolean> {
  const signal = AbortSignal.any([hungUp, AbortSignal.timeout(selfieWaitMs)])
  const outcome = await notifications.waitFor(
    outcomeKey(id),
    async () => {
      const submission = await findSubmission(db, id)
      // A submission that was deleted meanwhile gets no outcome.
      return submission ? (submission.outcome ?? undefined) : 'deleted'
    },
    signal,
  )
  return outcome === 'no_face'
}
