import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { Album } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { forgetFaces, showFaces } from '../photos/face-queries.ts'
import { idsInAlbum, markErased, markUndone, optOutsToErase } from './queries.ts'

/** Undoes opt-outs of an album whose faces are not erased, each in a transaction of its own: several hundred with a thousand
 *  faces each would keep others waiting. The others stay as they are, so it may be repeated.
 *  @param isAllowed whether the caller's right still holds, for an album that is locked
 *  @returns the ids of those that were undone now */
export async function undoOptOuts(
  { db, keyring, jobs }: Pick<AppContext, 'db' | 'jobs' | 'keyring'>,
  album: Album,
  ids: string[],
  by: Actor,
  isAllowed: (album: Album) => boolean = () => true,
): Promise<string[]> {
  const undone: string[] = []
  for (const id of await idsInAlbum(db, album.id, ids))
    await withAlbum(db, album.id, async (trx, locked) => {
      if (!locked || !isAllowed(locked)) return
      // What others have undone still counts, so that nobody hides the same people again at once.
      if (!(await markUndone(trx, id, { isCounted: by.role !== 'guest' }))) return
      const photosToIndex = await showFaces(trx, id)
      await recordEvent({ keyring, db: trx }, { event: 'opt-out undone', album, by })
      const payloads = photosToIndex.map((photoId) => ({ photoId, again: true }))
      await jobs.send(trx, 'index-photos', payloads, { backlog: 0 })
      undone.push(id)
    })
  return undone
}

const AT_ONCE = 100

/** Erases the faces of those opt-outs that nobody has undone within 72 hours, or before a letter has told the owner. Only the
 *  places of the faces stay, so that they do not come back when their photos are indexed again. May be repeated. */
export async function eraseOptOuts({ db, jobs }: Pick<AppContext, 'db' | 'jobs'>): Promise<void> {
  for (;;) {
    const due = await optOutsToErase(db, AT_ONCE)
    for (const { id, album_id: albumId } of due)
      await withAlbum(db, albumId, async (trx, album) => {
        if (!album || !(await markErased(trx, id))) return
        const faceIds = await forgetFaces(trx, id)
        if (faceIds.length > 0) await jobs.send(trx, 'remove-faces', [{ albumId, faceIds }])
      })
    if (due.length < AT_ONCE) return
  }
}
