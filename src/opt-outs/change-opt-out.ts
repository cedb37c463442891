import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Album, AuditEvent, OptOutState } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import type { Keyring } from '../keyring.ts'
import { deletePlaces } from '../photos/opted-out-queries.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import { hideFacesOf, SECONDS_UNTIL_PERMANENT, showFacesOf } from './hide-faces.ts'
import { takeBackCount } from './limits.ts'
import { findOptOut, forgetRequests, idsInAlbum, optOutsThatWaited, setState } from './opt-out-queries.ts'

export interface ChangeDeps {
  db: Db
  keyring: Keyring
  jobs: JobSender
}

/** What can happen to an opt-out that is not permanent. The guest undoes it. The owner, or the maintainer, revokes one that
 *  hides faces, and allows or refuses one that waits. */
export type Change = 'undo' | 'revoke' | 'allow' | 'refuse'

/** An opt-out waits for the owner at most so long. */
const LONGEST_WAIT_SECONDS = 14 * 86_400

const CHANGES: Record<Change, { from: OptOutState[]; to: OptOutState; event: AuditEvent }> = {
  undo: { from: ['hidden', 'waiting'], to: 'undone', event: 'opt-out undone' },
  revoke: { from: ['hidden'], to: 'revoked', event: 'opt-out revoked' },
  allow: { from: ['waiting'], to: 'hidden', event: 'opt-out allowed' },
  refuse: { from: ['waiting'], to: 'refused', event: 'opt-out refused' },
}

/** Changes opt-outs of an album, each in a transaction of its own: several hundred with a thousand faces each would keep others
 *  waiting. Those that are in no state for it stay as they are, so it may be repeated.
 *  @param isAllowed whether the caller's right still holds, for an album that is locked
 *  @returns the ids of those that were changed now */
export async function changeOptOuts(
  { db, keyring, jobs }: ChangeDeps,
  album: Album,
  ids: string[],
  change: Change,
  by: Actor,
  isAllowed: (album: Album) => boolean = () => true,
): Promise<string[]> {
  const changed: string[] = []
  for (const id of await idsInAlbum(db, album.id, ids)) {
    const isChanged = await withAlbum(db, album.id, async (trx, locked) => {
      if (!locked || !isAllowed(locked)) return false
      const photosToIndex = await changeOne({ trx, keyring }, id, change)
      if (photosToIndex === undefined) return false
      await recordEvent({ keyring, db: trx }, { event: CHANGES[change].event, album, by })
      // It sends a job for each photo that is to be indexed again.
      if (photosToIndex > 0) await jobs.send(trx, queues.moveAlbums, [{}])
      return true
    })
    if (isChanged) changed.push(id)
  }
  return changed
}

const AT_ONCE = 100

/** Refuses those opt-outs that have waited for the owner for 14 days, so that they keep no place for good. May be repeated. */
export async function refuseLongWaiting({ db, keyring }: Pick<ChangeDeps, 'db' | 'keyring'>): Promise<void> {
  for (;;) {
    const waited = await optOutsThatWaited(db, LONGEST_WAIT_SECONDS, AT_ONCE)
    for (const { id, album_id: albumId } of waited)
      await withAlbum(db, albumId, async (trx, album) => {
        if (album) await changeOne({ trx, keyring }, id, 'refuse')
      })
    if (waited.length < AT_ONCE) return
  }
}

/** The album is locked.
 *  @returns how many photos are to be indexed again; undefined when the opt-out is in no state for this change */
async function changeOne(
  { trx, keyring }: { trx: Trx; keyring: Keyring },
  id: string,
  change: Change,
): Promise<number | undefined> {
  const { from, to } = CHANGES[change]
  if (change === 'allow') {
    if (!(await setState(trx, id, { from, to, seconds: SECONDS_UNTIL_PERMANENT }))) return undefined
    await hideFacesOf(trx, id)
    return 0
  }
  const before = await findOptOut(trx, id)
  if (!before || !(await setState(trx, id, { from, to }))) return undefined
  await forgetRequests(trx, id)
  const { state, person_cipher: isKeptOut } = before
  // An opt-out that keeps somebody out makes photos that are being indexed begin again. So its count is not given back.
  if (change === 'undo' && state === 'hidden' && !isKeptOut) await takeBackCount({ trx, keyring }, before)
  if (state === 'hidden') return await showFacesOf(trx, id)
  // All its faces are in the search.
  await deletePlaces(trx, id)
  return 0
}
