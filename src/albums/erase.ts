import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { Remains } from '../contract/albums.ts'
import type { Db, Trx } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { enginesOf } from '../faces/collection-queries.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { type FormerFaces, withEngine } from '../faces/former-faces.ts'
import type { Keyring } from '../keyring.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { countRowsOfAlbum, deleteAlbum, lockAlbum } from './queries.ts'

/** After this long, every request that was running at the time of the erasure has ended. */
const ERASE_AGAIN_SECONDS = 900

interface RemovalDeps {
  db: Db
  storage: FileStorage
  faces: FaceIndex
  formerFaces: FormerFaces
}

interface Deps extends RemovalDeps {
  jobs: JobSender
  keyring: Keyring
}

/** Erases an album. One transaction deletes its rows, and sends the jobs that remove files and faces in case this
 *  process ends early. Then this process removes files and faces itself.
 *  @returns what a check of all places finds afterwards. */
export async function eraseAlbum(deps: Deps, albumId: string, by: Actor): Promise<Remains> {
  const { engines, faces } = await deps.db.transaction().execute(async (trx) => {
    const album = await lockAlbum(trx, albumId)
    if (!album) return { engines: [], faces: 0 }
    // No engine can be added after this, because its row would refer to a deleted album.
    const engines = await enginesOf(trx, albumId)
    await deleteAlbum(trx, albumId)
    await sendErasure(deps.jobs, trx, albumId, engines)
    await recordEvent({ ...deps, db: trx }, { event: 'album erased', album, by })
    return { engines, faces: album.faces_found }
  })
  const { isFormerUnavailable, ...remains } = await tryToRemove(deps, albumId, engines)
  // If the former engine is unavailable, all faces of the album count as remaining.
  return isFormerUnavailable ? { ...remains, facesRemaining: remains.facesRemaining + faces } : remains
}

/** Sends the jobs that remove the remaining files and faces of an erased album: now, and again when no request can
 *  still write any. */
export async function sendErasure(
  jobs: JobSender,
  trx: Trx,
  albumId: string,
  engines: EngineName[],
): Promise<void> {
  const payloads = [{ albumId, engines }]
  await jobs.send(trx, queues.eraseAlbum, payloads)
  await jobs.send(trx, queues.eraseAlbum, payloads, { afterSeconds: ERASE_AGAIN_SECONDS })
}

async function tryToRemove(...[deps, albumId, engines]: Parameters<typeof removeRemains>): Promise<Found> {
  try {
    return await removeRemains(deps, albumId, engines)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')) throw error
    // The job tries again, and logs the cause.
    return await findRemains(deps, albumId, engines)
  }
}

interface Found extends Remains {
  /** One of the engines is the former engine, and currently unavailable. */
  isFormerUnavailable: boolean
}

/** Removes the faces and files of an album whose rows are deleted. May be repeated.
 *  @param engines those in which it had a collection, besides the configured one */
export async function removeRemains(
  deps: RemovalDeps,
  albumId: string,
  engines: EngineName[],
): Promise<Found> {
  for (const engine of new Set([deps.faces.engine, ...engines]))
    await withEngine(deps, engine, (index) => index.deleteCollection(albumId))
  await deps.storage.deleteFolder(folderOf(albumId))
  return await findRemains(deps, albumId, engines)
}

async function findRemains(deps: RemovalDeps, albumId: string, engines: EngineName[]): Promise<Found> {
  const found: Found = {
    rowsRemaining: await countRowsOfAlbum(deps.db, albumId),
    filesRemaining: await deps.storage.count(folderOf(albumId)),
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
