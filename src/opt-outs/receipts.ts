import { findAlbum } from '../albums/queries.ts'
import { findOrCountWrong } from '../albums/rate-limits.ts'
import type { Actor } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { ReceiptOutput } from '../contract/opt-outs.ts'
import type { Album, OptOut } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { idOfReceipt, invalidReceipt, stateOf } from './opt-out.ts'
import { findOptOut } from './queries.ts'
import { undoOptOuts } from './undo-or-erase.ts'

export const nothingToUndo = () =>
  new AppError('CONFLICT', 'This can no longer be undone. The receipt says what has happened.')

/** @throws AppError NOT_FOUND when the receipt is forged, or the album has been erased */
async function findByReceipt(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  receipt: string,
): Promise<{ optOut: OptOut; album: Album }> {
  const optOut = await findOptOut(db, idOfReceipt(keyring, receipt))
  const album = optOut && (await findAlbum(db, { id: optOut.album_id }))
  if (!album) throw invalidReceipt()
  return { optOut, album }
}

interface WithReceipt {
  receipt: string
  /** Where the call comes from. */
  address: string
}

/** What has become of an opt-out.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function readReceipt(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  { receipt, address }: WithReceipt,
): Promise<ReceiptOutput> {
  const { optOut, album } = await findOrCountWrong(deps, { address }, () => findByReceipt(deps, receipt))
  return outputOf(optOut, album)
}

/** Undoes an opt-out for the guest: searches show its faces again.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS, CONFLICT when its faces are erased */
export async function undoOptOut(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'limits'>,
  { receipt, address }: WithReceipt,
): Promise<ReceiptOutput> {
  const { optOut, album } = await findOrCountWrong(deps, { address }, () => findByReceipt(deps, receipt))
  if (optOut.state === 'undone') return outputOf(optOut, album)
  const by: Actor = { role: 'guest', address }
  await undoOptOuts(deps, album, [optOut.id], by)
  const undone = await findOptOut(deps.db, optOut.id)
  if (undone?.state !== 'undone') throw nothingToUndo()
  return outputOf(undone, album)
}

const outputOf = (optOut: OptOut, { display_name, slug }: Album): ReceiptOutput => ({
  ...stateOf(optOut),
  displayName: display_name,
  albumName: slug,
})
