import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { Remains } from '../contract/albums.ts'
import type { Db, Trx } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { enginesOf } from '../faces/collection-queries.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { type FormerFaces, withEngine } from '../faces/former-faces.ts'
import type { Keyring } from '../keyring.ts'
import type { KeptLetters } from '../mail/outbox.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { lettersOfAlbum } from './letter-queries.ts'
import { countRowsOfAlbum, deleteAlbum, lockAlbum } from './queries.ts'

/** After this long, every request that was running at the time of the erasure has ended. */
const ERASE_AGAIN_SECONDS = 900

interface RemovalDeps {
  db: Db
  storage: FileStorage
  faces: FaceIndex
  formerFaces: FormerFaces
  outbox: KeptLetters
}

interface Deps extends RemovalDeps {
  jobs: JobSender
  keyring: Keyring
}

/** An album whose rows are deleted, and where the rest of it may be. */
export interface ErasedAlbum {
  albumId: string
  /** The face engines in which it had a collection, besides the configured one. */
  engines: EngineName[]
  /** The ids of its letters, which may be in the outbox. */
  letters: string[]
}

/** Erases an album. One transaction deletes its rows, and sends the jobs that remove files, faces and letters in case
 *  this process ends early. Then this process removes them itself.
 *  @returns what a check of all places finds afterwards. */
export async function eraseAlbum(deps: Deps, albumId: string, by: Actor): Promise<Remains> {
  const { erased, faces } = await deps.db.transaction().execute(async (trx) => {
    const album = await lockAlbum(trx, albumId)
    if (!album) return { erased: { albumId, engines: [], letters: [] }, faces: 0 }
    // Neither an engine nor a letter can be added after this, because the album's row is locked and then deleted.
    const erased = {
      albumId,
      engines: await enginesOf(trx, albumId),
      letters: await lettersOfAlbum(trx, albumId),
    }
    await deleteAlbum(trx, albumId)
    await sendErasure(deps.jobs, trx, erased)
    await recordEvent({ ...deps, db: trx }, { event: 'album erased', album, by })
    return { erased, faces: album.faces_found }
  })
  const { isFormerUnavailable, ...remains } = await tryToRemove(deps, erased)
  // If the former engine is unavailable, all faces of the album count as remaining.
  return isFormerUnavailable ? { ...remains, facesRemaining: remains.facesRemaining + faces } : remains
}

/** Sends the jobs that remove the remaining files, faces and letters of an erased album: now, and again when no request
 *  or job can still write any. */
export async function sendErasure(jobs: JobSender, trx: Trx, erased: ErasedAlbum): Promise<void> {
  await jobs.send(trx, queues.eraseAlbum, [erased])
  await jobs.send(trx, queues.eraseAlbum, [erased], { afterSeconds: ERASE_AGAIN_SECONDS })
}

async function tryToRemove(...[deps, erased]: Parameters<typeof removeRemains>): Promise<Found> {
  try {
    return await removeRemains(deps, erased)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')) throw error
    // The job tries again, and logs the cause.
    return await findRemains(deps, erased)
  }
}

interface Found extends Remains {
  /** One of the engines is the former engine, and currently unavailable. */
  isFormerUnavailable: boolean
}

/** Removes the letters, faces and files of an album whose rows are deleted. May be repeated. */
export async function removeRemains(deps: RemovalDeps, erased: ErasedAlbum): Promise<Found> {
  const { albumId, engines, letters } = erased
  await deps.outbox.remove(letters)
  for (const engine of new Set([deps.faces.engine, ...engines]))
    await withEngine(deps, engine, (index) => index.deleteCollection(albumId))
  await deps.storage.deleteFolder(folderOf(albumId))
  return await findRemains(deps, erased)
}

async function findRemains(deps: RemovalDeps, { albumId, engines, letters }: ErasedAlbum): Promise<Found> {
  const found: Found = {
    rowsRemaining: await countRowsOfAlbum(deps.db, albumId),
    filesRemaining: (await deps.storage.count(folderOf(albumId))) + (await deps.outbox.count(letters)),
    facesRemaining: 0,
    isFormerUnavailable: false,
  }
  for (const engine of new Set([deps.faces.engine, ...engines])) {
    const count = await withEngine(deps, engine, (index) => index.countFaces(albumId))
    found.facesRemaining += count ?? 0
    found.isFormerUnavailable ||= count === undefined
  }
  return found
}

const folderOf = (albumId: string) => `albums/${albumId}/`
