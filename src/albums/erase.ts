import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { Remains } from '../contract/albums/albums.ts'
import type { Trx } from '../database/client.ts'
import type { Album, EngineName, Erasure } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { hasCode } from '../errors.ts'
import { facesIn } from '../faces/both-engines.ts'
import { detachLetters } from '../letters/queries.ts'
import { requestErased } from '../letters/request.ts'
import { albumNotFound, type OwnedAlbum, requireSameOwner } from './access.ts'
import {
  countRowsOfAlbum,
  deleteAlbum,
  deleteRows,
  type FoundRemains,
  findErasure,
  insertErasure,
  recordRemains,
} from './erasure-queries.ts'
import { hashesOfSlug } from './slug.ts'

/** After this long, every request that was running at the time of the erasure has ended. */
const ERASE_AGAIN_SECONDS = 900
/** What an album may have to be deleted before the call is answered. That takes a second or two. */
const DELETED_AT_ONCE = { photos: 200, faces: 5_000 }

/** Erases an album, or says what remains of an erased one. One transaction deletes the album's row, so that nobody finds
 *  or changes the album any more, and sends the jobs that delete everything else, also when this process ends early. A
 *  small album is then deleted before this returns.
 *  @param options.untilGone deletes a large album, too, before this returns
 *  @returns what remains, as the last check of all places found it. Before the first check of a large album, this is all
 *    that it had
 *  @throws AppError NOT_FOUND, CONFLICT when the album's owner key has changed */
export async function eraseAlbum(
  deps: Pick<AppContext, 'db' | 'faces' | 'jobs' | 'keyring' | 'otherFaces' | 'outbox' | 'storage'>,
  owned: OwnedAlbum,
  by: Actor,
  { untilGone = false } = {},
): Promise<Remains> {
  const albumId = owned.id
  const erasure = await withAlbum(deps.db, albumId, (trx, album) =>
    beginErasure(trx, deps, { owned, album, by }),
  )
  if (erasure.finished_at) return remainsOf(erasure)
  const { photos, faces, engines, letters } = erasure
  const isLarge = photos > DELETED_AT_ONCE.photos || faces > DELETED_AT_ONCE.faces
  if (isLarge && !untilGone) return remainsOf(erasure)
  const erased = { albumId, engines, letters }
  const found = (await whileAvailable(() => removeRemains(deps, erased))) ?? (await findRemains(deps, erased))
  return remainsOf((await recordRemains(deps.db, albumId, found))!)
}

/** @returns the erasure that this call, or an earlier one, has begun */
async function beginErasure(
  trx: Trx,
  deps: Pick<AppContext, 'jobs' | 'keyring'>,
  { owned, album, by }: { owned: OwnedAlbum; album: Album | undefined; by: Actor },
): Promise<Erasure> {
  const albumId = owned.id
  if (!album) {
    const erasure = await findErasure(trx, { id: albumId })
    if (erasure?.owner_key_version !== owned.owner_key_version) throw albumNotFound()
    return erasure
  }
  requireSameOwner(album, owned)
  const engines = [...album.engines_to_clear, ...(album.engine ? [album.engine] : [])]
  // No letter can be added after this, because the album's row is locked and then deleted.
  const letters = await detachLetters(trx, { albumId })
  const slugHash = hashesOfSlug(deps.keyring, album.slug)[0]!
  const erasure = await insertErasure(trx, album, { slugHash, engines, letters })
  await deleteAlbum(trx, albumId)
  await sendErasure(deps, trx, { albumId, engines, letters })
  await requestErased(trx, deps, album)
  await recordEvent({ ...deps, db: trx }, { event: 'album erased', album, by })
  return erasure
}

/** Sends the jobs that delete the rest of an erased album: now, and again when no request or job can still write any. */
export async function sendErasure(
  { jobs }: Pick<AppContext, 'jobs'>,
  trx: Trx,
  erased: ErasedAlbum,
): Promise<void> {
  await jobs.send(trx, 'erase-album', [erased])
  await jobs.send(trx, 'erase-album', [erased], { afterSeconds: ERASE_AGAIN_SECONDS })
}

function remainsOf({ rows_remaining, files_remaining, faces_remaining }: Erasure): Remains {
  return {
    rowsRemaining: rows_remaining,
    filesRemaining: files_remaining,
    facesRemaining: faces_remaining,
  }
}

/** An album whose row is deleted, and where the rest of it may be. */
export interface ErasedAlbum {
  albumId: string
  /** The face engines that may have faces of it, besides the configured one. */
  engines: EngineName[]
  /** The ids of its letters, which may be in the outbox. */
  letters: string[]
}

/** Removes the photos' rows, letters, faces and files of an erased album, a little at a time, so that everybody else can
 *  use the database and the storage meanwhile. The files come first: on a full disk that makes room for the database's log of
 *  the rest. May be repeated, and run twice at once.
 *  @param sliceMs how long it deletes files, and how long rows; undefined: until all are deleted
 *  @returns what a check of all places finds afterwards; undefined when there was not enough time */
export async function removeRemains(
  deps: Pick<AppContext, 'db' | 'faces' | 'otherFaces' | 'outbox' | 'storage'>,
  erased: ErasedAlbum,
  sliceMs?: number,
): Promise<FoundRemains | undefined> {
  const { albumId, engines, letters } = erased
  const slice = () => (sliceMs === undefined ? undefined : AbortSignal.timeout(sliceMs))
  await deps.outbox.remove(letters)
  const filesAreGone = await deps.storage.deleteFolder(folderOf(albumId), slice())
  const rowsAreGone = await deleteRows(deps.db, albumId, slice())
  if (!rowsAreGone || !filesAreGone) return undefined
  for (const engine of new Set([deps.faces.engine, ...engines]))
    await whileAvailable(async () => (await facesIn(deps, engine)).deleteCollection(albumId))
  // One may have been written meanwhile: its sending had begun before the album was erased.
  await deps.outbox.remove(letters)
  return await findRemains(deps, erased)
}

/** Checks all places. Faces in an unavailable engine are not counted: see isEngineUnavailable. */
async function findRemains(
  deps: Pick<AppContext, 'db' | 'faces' | 'otherFaces' | 'outbox' | 'storage'>,
  { albumId, engines, letters }: ErasedAlbum,
): Promise<FoundRemains> {
  const found: FoundRemains = {
    rowsRemaining: await countRowsOfAlbum(deps.db, albumId),
    filesRemaining: (await deps.storage.count(folderOf(albumId))) + (await deps.outbox.count(letters)),
    facesRemaining: 0,
    isEngineUnavailable: false,
  }
  for (const engine of new Set([deps.faces.engine, ...engines])) {
    const count = await whileAvailable(async () => (await facesIn(deps, engine)).countFaces(albumId))
    found.facesRemaining += count ?? 0
    found.isEngineUnavailable ||= count === undefined
  }
  return found
}

/** Where the files of an album are in the storage. */
const folderOf = (albumId: string) => `albums/${albumId}/`

/** @returns undefined when something is unavailable: the job tries again, and logs the cause. */
async function whileAvailable<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (hasCode(error, 'SERVICE_UNAVAILABLE')) return undefined
    throw error
  }
}
