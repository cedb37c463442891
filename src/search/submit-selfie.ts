import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { findSubmission, insertSubmission, lockWaitingSubmission } from './queries.ts'
import { normaliseSelfie } from './selfie.ts'
import { eraseSubmission, selfieKey } from './submission-retention.ts'

interface Deps {
  db: Db
  storage: FileStorage
  jobs: JobSender
  /** Ms to wait for the outcome: an answer within them can still say that the selfie shows no face. */
  selfiePatienceMs: number
}

/** An album that a visitor may search, and as whom. */
export interface SearchableAlbum {
  album: Album
  isOwner: boolean
}

/** As long as a visitor waits for a page without wondering; a match takes a second. */
export const SELFIE_PATIENCE_MS = 4_000
const POLL_MS = 100

/** Hands a selfie in to be matched, and waits a moment for the outcome.
 *  @param isGone whether the visitor has hung up, and nobody waits any more
 *  @returns the id under which results are found; undefined when there are none to be found, since the selfie
 *  shows no face or no album has one, and nothing is kept.
 *  @throws AppError when the selfie is no readable image, or storage is away. */
export async function submitSelfie(
  deps: Deps,
  albums: SearchableAlbum[],
  selfie: Buffer,
  isGone: () => boolean,
): Promise<string | undefined> {
  const image = await normaliseSelfie(selfie)
  const withFaces = albums.filter(({ album }) => album.faces_found > 0)
  if (withFaces.length === 0) return undefined
  const id = await handIn(deps, withFaces, image)
  if (!(await isWithoutFace(deps, id, isGone))) return id
  await eraseSubmission(deps, id)
  return undefined
}

/** Stores the selfie between two transactions, so that bytes never stand where no row tells of them: whoever
 *  dies on the way leaves a row for the purge. */
async function handIn(
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
  // Storage was so slow that the purge has been there already, and will not come again.
  await storage.delete(selfieKey(id))
  throw selfieNotStored()
}

export const selfieNotStored = () =>
  new AppError('SERVICE_UNAVAILABLE', 'The selfie could not be stored in time. Please try again.')

async function isWithoutFace(
  { db, selfiePatienceMs }: Deps,
  id: string,
  isGone: () => boolean,
): Promise<boolean> {
  const deadline = Date.now() + selfiePatienceMs
  while (!isGone() && Date.now() < deadline) {
    const submission = await findSubmission(db, id)
    if (submission?.outcome !== null) return submission?.outcome === 'no_face'
    await pause(POLL_MS)
  }
  return false
}
