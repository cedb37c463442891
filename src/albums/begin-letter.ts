import type { Db, Trx } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import {
  agesOfUnconfirmedLetters,
  insertUnconfirmedLetter,
  isRefusedAddress,
  lockMailbox,
} from '../mail/recipient-queries.ts'
import { hashAddress, hashMailbox } from '../mail/recipients.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import {
  agesOfLetters,
  assignLetter,
  deferLetter,
  findWaitingLetter,
  lockRound,
  markLetterBegun,
  markLetterSent,
  type RoundForLetter,
} from './letter-queries.ts'

const DAY_SECONDS = 24 * 3600
/** Letters within any 24 hours to an address that is not confirmed: from one album, and from all albums together. */
const LETTERS_A_DAY = { fromAlbum: 3, fromAll: 10 }

/** For how long letters and refusals are remembered. Mailboxes are full or closed for a time only, and an address may
 *  get a new owner. */
export const REMEMBERED = { lettersSeconds: DAY_SECONDS, refusalsSeconds: 30 * DAY_SECONDS }

interface Deps {
  db: Db
  keyring: Keyring
  jobs: JobSender
}

/** Decides whether the letter of a completed round is sent now. One transaction decides this and counts the letter, so
 *  that the limits hold for all processes together, and for a process that dies while it sends.
 *
 *  An address is confirmed for one album only. Anybody can name a confirmed address for a new album, and that must not
 *  carry their words to it.
 *
 *  A letter above a limit waits until the limit allows it. All rounds that are completed meanwhile share it.
 *  @returns the round and its album when the letter is to be sent now. A letter that was begun and may not have arrived
 *    is returned again, unchanged. */
export function beginLetter(
  { db, keyring, jobs }: Deps,
  roundId: string,
): Promise<{ round: RoundForLetter; album: Album } | undefined> {
  return db.transaction().execute(async (trx) => {
    const found = await lockRound(trx, roundId)
    if (!found) return undefined
    const { round, album } = found
    if (round.letter_sent_at) return undefined
    if (await isUnwanted(trx, keyring, album)) {
      await markLetterSent(trx, round)
      return undefined
    }
    if (round.letter_begun_at) return found

    const letterOf = round.letter_of ?? (await findWaitingLetter(trx, album.id))?.id ?? round.id
    if (!round.letter_of) await assignLetter(trx, round.id, letterOf)
    if (letterOf !== round.id) return undefined

    if (!album.address_confirmed_at) {
      const seconds = await countUnconfirmed(trx, album, hashMailbox(keyring, album.email))
      if (seconds > 0) {
        await waitFor(seconds, trx, jobs, round)
        return undefined
      }
    }
    await markLetterBegun(trx, round.id)
    return found
  })
}

/** Whether this album may send no letter: its recipient ended the letters, or a mail server refused the address. The
 *  owner does not learn it, because the recipient may not know them. The album's page shows its owner the link and the
 *  password anyway. */
export async function isUnwanted(trx: Trx, keyring: Keyring, album: Album): Promise<boolean> {
  if (album.letters_ended_at) return true
  return await isRefusedAddress(trx, hashAddress(keyring, album.email), REMEMBERED.refusalsSeconds)
}

/** Counts a letter to an address that is not confirmed, unless it is above a limit.
 *  @returns 0, or the seconds until the limits allow it */
async function countUnconfirmed(trx: Trx, album: Album, mailbox: Buffer): Promise<number> {
  const { fromAlbum, fromAll } = LETTERS_A_DAY
  await lockMailbox(trx, mailbox)
  const newestOf = (limit: number) => ({ withinSeconds: DAY_SECONDS, limit })
  const seconds = Math.max(
    untilAllowed(await agesOfLetters(trx, album.id, newestOf(fromAlbum)), fromAlbum),
    untilAllowed(await agesOfUnconfirmedLetters(trx, mailbox, newestOf(fromAll)), fromAll),
  )
  if (seconds === 0) await insertUnconfirmedLetter(trx, mailbox)
  return seconds
}

/** Counts a letter to an address that is not confirmed, of another kind than those of upload rounds, unless all letters to
 *  it are above their limit.
 *  @returns 0, or the seconds until the limit allows it */
export async function secondsUntilUnconfirmed(trx: Trx, keyring: Keyring, email: string): Promise<number> {
  const mailbox = hashMailbox(keyring, email)
  await lockMailbox(trx, mailbox)
  const limit = LETTERS_A_DAY.fromAll
  const ages = await agesOfUnconfirmedLetters(trx, mailbox, { withinSeconds: DAY_SECONDS, limit })
  const seconds = untilAllowed(ages, limit)
  if (seconds === 0) await insertUnconfirmedLetter(trx, mailbox)
  return seconds
}

/** @param ages in seconds, of at most `limit` letters, the newest first */
function untilAllowed(ages: number[], limit: number): number {
  const oldest = ages[limit - 1]
  return oldest === undefined ? 0 : Math.max(1, Math.ceil(DAY_SECONDS - oldest))
}

/** Sends the job that tries again. A job that runs twice sends it once. */
async function waitFor(seconds: number, trx: Trx, jobs: JobSender, round: RoundForLetter): Promise<void> {
  if (round.has_later_job) return
  await deferLetter(trx, round.id, seconds)
  await jobs.send(trx, queues.sendLetter, [{ roundId: round.id }], { afterSeconds: seconds })
}
