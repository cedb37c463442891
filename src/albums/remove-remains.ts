import type { Db } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'
import { hasCode } from '../errors.ts'
import { type BothEngines, facesIn } from '../faces/both-engines.ts'
import type { KeptLetters } from '../mail/outbox.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { countRowsOfAlbum, deleteRows, type FoundRemains } from './erasure-queries.ts'

export interface RemovalDeps extends BothEngines {
  db: Db
  storage: FileStorage
  outbox: KeptLetters
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
  deps: RemovalDeps,
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
export async function findRemains(
  deps: RemovalDeps,
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
export const folderOf = (albumId: string) => `albums/${albumId}/`

/** @returns undefined when something is unavailable: the job tries again, and logs the cause. */
export async function whileAvailable<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (hasCode(error, 'SERVICE_UNAVAILABLE')) return undefined
    throw error
  }
}
