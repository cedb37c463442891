import type { Db } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { type FormerFaces, withEngine } from '../faces/former-faces.ts'
import type { KeptLetters } from '../mail/outbox.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { countRowsOfAlbum, deleteRows, type FoundRemains } from './erasure-queries.ts'

export interface RemovalDeps {
  db: Db
  storage: FileStorage
  faces: FaceIndex
  formerFaces: FormerFaces
  outbox: KeptLetters
}

/** An album whose row is deleted, and where the rest of it may be. */
export interface ErasedAlbum {
  albumId: string
  /** The face engines in which it had a collection, besides the configured one. */
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
  if (rowsAreGone)
    for (const engine of new Set([deps.faces.engine, ...engines]))
      await withEngine(deps, engine, (index) => index.deleteCollection(albumId))
  if (!rowsAreGone || !filesAreGone) return undefined
  // One may have been written meanwhile: its sending had begun before the album was erased.
  await deps.outbox.remove(letters)
  return await findRemains(deps, erased)
}

/** Checks all places. Faces in an unavailable former engine are not counted: see isFormerUnavailable. */
export async function findRemains(
  deps: RemovalDeps,
  { albumId, engines, letters }: ErasedAlbum,
): Promise<FoundRemains> {
  const found: FoundRemains = {
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

/** Where the files of an album are in the storage. */
export const folderOf = (albumId: string) => `albums/${albumId}/`
