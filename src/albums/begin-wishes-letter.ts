import { randomUUID } from 'node:crypto'
import type { Db } from '../database/client.ts'
import type { Album, TakeOut } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import { isUnwanted, secondsUntilUnconfirmed } from './begin-letter.ts'
import { lockAlbum } from './queries.ts'
import {
  assignWishesLetter,
  markWishesTold,
  secondsSinceWishesTold,
  unsentWishes,
} from './take-out-queries.ts'

/** The shortest time between two letters about one album, so that many guests do not cause many letters. */
const PAUSE_SECONDS = { confirmed: 3_600, unconfirmed: 24 * 3_600 }

interface Deps {
  db: Db
  keyring: Keyring
  jobs: JobSender
}

/** Decides whether a letter now says to the owner what guests have asked for since the last one.
 *  @returns the wishes of one letter, which all have its id; undefined when there is nothing to send now. A letter that
 *    was begun and may not have arrived is returned again, unchanged */
export function beginWishesLetter(
  { db, keyring, jobs }: Deps,
  albumId: string,
): Promise<{ album: Album; letterId: string; wishes: TakeOut[] } | undefined> {
  return db.transaction().execute(async (trx) => {
    const album = await lockAlbum(trx, albumId)
    if (!album) return undefined
    const unsent = await unsentWishes(trx, albumId)
    const begun = unsent.find(({ letter_id }) => letter_id !== null)?.letter_id
    if (begun)
      return { album, letterId: begun, wishes: unsent.filter(({ letter_id }) => letter_id === begun) }
    if (unsent.length === 0) return undefined
    const ids = unsent.map(({ id }) => id)
    if (await isUnwanted(trx, keyring, album)) {
      await markWishesTold(trx, ids)
      return undefined
    }
    const pause = album.address_confirmed_at ? PAUSE_SECONDS.confirmed : PAUSE_SECONDS.unconfirmed
    const since = await secondsSinceWishesTold(trx, albumId)
    let wait = since === undefined ? 0 : pause - since
    if (wait <= 0 && !album.address_confirmed_at)
      wait = await secondsUntilUnconfirmed(trx, keyring, album.email)
    if (wait > 0) {
      await jobs.send(trx, queues.sendWishes, [{ albumId }], { afterSeconds: Math.ceil(wait) })
      return undefined
    }
    const letterId = randomUUID()
    await assignWishesLetter(trx, ids, letterId)
    return { album, letterId, wishes: unsent }
  })
}
