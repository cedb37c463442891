import { randomUUID } from 'node:crypto'
import { isUnwanted, secondsUntilUnconfirmed } from '../albums/begin-letter.ts'
import type { Db } from '../database/client.ts'
import type { Album, OptOut } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import type { Keyring } from '../keyring.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import {
  albumsWithUntold,
  assignLetter,
  markTold,
  secondsSinceTold,
  untoldOptOuts,
} from './opt-out-queries.ts'

/** The shortest time between two letters about one album, so that many guests do not cause many letters. An address that
 *  nobody has confirmed gets at most three a day. */
const PAUSE_SECONDS = { confirmed: 3_600, unconfirmed: 8 * 3_600 }

interface Deps {
  db: Db
  keyring: Keyring
}

/** Sends a job for each album with opt-outs that no letter has named and whose pause is over. So none is forgotten that
 *  came while a letter was being sent. An album has one job at a time, so no letter is sent by two processes. */
export async function lookForUntold({ db, jobs }: { db: Db; jobs: JobSender }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const albumIds = await albumsWithUntold(trx, PAUSE_SECONDS)
    await jobs.send(
      trx,
      queues.tellOptOuts,
      albumIds.map((albumId) => ({ albumId })),
    )
  })
}

/** Decides whether a letter now tells the owner of the opt-outs since the last one. What has to wait is looked for again later.
 *  @returns the opt-outs of one letter, which all have its id; undefined when there is nothing to send now. A letter that
 *    was begun and may not have arrived is returned again, unchanged */
export function beginOptOutsLetter(
  { db, keyring }: Deps,
  albumId: string,
): Promise<{ album: Album; letterId: string; optOuts: OptOut[] } | undefined> {
  return withAlbum(db, albumId, async (trx, album) => {
    if (!album) return undefined
    const untold = await untoldOptOuts(trx, albumId)
    const begun = untold.find(({ letter_id }) => letter_id !== null)?.letter_id
    if (begun)
      return { album, letterId: begun, optOuts: untold.filter(({ letter_id }) => letter_id === begun) }
    if (untold.length === 0) return undefined
    const ids = untold.map(({ id }) => id)
    if (await isUnwanted(trx, keyring, album)) {
      await markTold(trx, ids)
      return undefined
    }
    const pause = album.address_confirmed_at ? PAUSE_SECONDS.confirmed : PAUSE_SECONDS.unconfirmed
    const since = await secondsSinceTold(trx, albumId)
    let wait = since === undefined ? 0 : pause - since
    if (wait <= 0 && !album.address_confirmed_at)
      wait = await secondsUntilUnconfirmed(trx, keyring, album.email)
    if (wait > 0) return undefined
    const letterId = randomUUID()
    await assignLetter(trx, ids, letterId)
    return { album, letterId, optOuts: untold }
  })
}
