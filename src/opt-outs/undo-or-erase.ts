import { findAlbum } from '../albums/queries.ts'
import { findOrCountWrong } from '../albums/rate-limits.ts'
import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { ReceiptOutput } from '../contract/opt-outs.ts'
import type { Album, OptOut } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import { forgetFaces, showFaces } from '../photos/face-queries.ts'
import { idOfReceipt, invalidReceipt, stateOf } from './opt-out.ts'
import { findOptOut, idsInAlbum, markErased, markUndone, optOutsToErase } from './queries.ts'

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

export const nothingToUndo = () =>
  new AppError('CONFLICT', 'This can no longer be undone. The receipt says what has happened.')

interface WithReceipt {
  receipt: string
  /** Where the call comes from. */
  address: string
}

/** @throws AppError NOT_FOUND when the receipt is forged, or the album has been erased; TOO_MANY_REQUESTS */
async function findByReceipt(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  { receipt, address }: WithReceipt,
): Promise<{ optOut: OptOut; album: Album }> {
  return await findOrCountWrong(deps, { address }, async () => {
    const optOut = await findOptOut(deps.db, idOfReceipt(deps.keyring, receipt))
    const album = optOut && (await findAlbum(deps.db, { id: optOut.album_id }))
    if (!album) throw invalidReceipt()
    return { optOut, album }
  })
}

/** What has become of an opt-out.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function readReceipt(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  given: WithReceipt,
): Promise<ReceiptOutput> {
  const { optOut, album } = await findByReceipt(deps, given)
  return outputOf(optOut, album)
}

/** Undoes an opt-out for the guest: searches show its faces again.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS, CONFLICT when its faces are erased */
export async function undoOptOut(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'limits'>,
  given: WithReceipt,
): Promise<ReceiptOutput> {
  const { optOut, album } = await findByReceipt(deps, given)
  if (optOut.state === 'undone') return outputOf(optOut, album)
  await undoOptOuts(deps, album, [optOut.id], { role: 'guest', address: given.address })
  const undone = await findOptOut(deps.db, optOut.id)
  if (undone?.state !== 'undone') throw nothingToUndo()
  return outputOf(undone, album)
}

const outputOf = (optOut: OptOut, { display_name, slug }: Album): ReceiptOutput => ({
  ...stateOf(optOut),
  displayName: display_name,
  albumName: slug,
})

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
