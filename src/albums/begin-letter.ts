import type { Db, Trx } from '../database/client.ts'
import type { Album, UnconfirmedKind, UploadRound } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import {
  agesOfUnconfirmedLetters,
  insertUnconfirmedLetter,
  isRefusedAddress,
  lockMailbox,
  type UnconfirmedLetters,
} from '../mail/recipient-queries.ts'
import { addressHashes, hashAsker, hashMailbox, ownerAddressHashes } from '../mail/recipients.ts'
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
/** Letters within any 24 hours to one mailbox whose address is not confirmed, from all albums together. Each kind has a
 *  budget of its own, so no kind waits for another. A stranger whose own albums name a mailbox can still use up a kind: its
 *  other letters of that kind then wait a day. No opt-out is erased before its letter: see `optOutsToErase`. Somebody who
 *  never asked for anything gets the sum of the three at most. */
const UNCONFIRMED_A_DAY: Record<UnconfirmedKind, number> = { album: 10, request: 6, optOut: 3 }
/** Of those, the letters of one album's upload rounds. */
const FROM_ALBUM = 3
/** Of those, the letters that one network has asked for, so that a stranger leaves some for the person. */
const FOR_ASKER = 3

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
    // All its photos may have been deleted meanwhile.
    if (album.photos_stored === 0 || (await isUnwanted(trx, keyring, album))) {
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
        await waitFor(seconds, trx, { jobs }, round)
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
  return album.letters_ended_at !== null || (await isRefusedByOwner(trx, keyring, album.id, album.email))
}

/** Whether the owner of an album may not be written to at this address.
 *  @param email the album's address, or the one that it may get */
export async function isRefusedByOwner(
  db: Db | Trx,
  keyring: Keyring,
  albumId: string,
  email: string,
): Promise<boolean> {
  const hashes = [...addressHashes(keyring, email), ...ownerAddressHashes(keyring, albumId, email)]
  return await isRefusedAddress(db, hashes, REMEMBERED.refusalsSeconds)
}

/** Counts a letter to an address that is not confirmed, unless it is above a limit.
 *  @returns 0, or the seconds until the limits allow it */
async function countUnconfirmed(trx: Trx, album: Album, mailbox: Buffer): Promise<number> {
  await lockMailbox(trx, mailbox)
  const ofAlbum = await agesOfLetters(trx, album.id, { withinSeconds: DAY_SECONDS, limit: FROM_ALBUM })
  const letter = { mailboxHash: mailbox, kind: 'album' } as const
  const seconds = Math.max(
    untilAllowed(ofAlbum, FROM_ALBUM),
    await secondsUntil(trx, letter, UNCONFIRMED_A_DAY.album),
  )
  if (seconds === 0) await insertUnconfirmedLetter(trx, letter)
  return seconds
}

/** Counts a letter to an address that is not confirmed, of another kind than those of upload rounds, unless the letters of
 *  its kind are above a limit.
 *  @param asker the network of the caller who asks for this letter: see `callerNetwork`
 *  @returns 0, or the seconds until the limits allow it */
export async function secondsUntilUnconfirmed(
  trx: Trx,
  keyring: Keyring,
  email: string,
  kind: Exclude<UnconfirmedKind, 'album'> = 'optOut',
  asker?: string,
): Promise<number> {
  const mailboxHash = hashMailbox(keyring, email)
  await lockMailbox(trx, mailboxHash)
  const askerHash = asker === undefined ? undefined : hashAsker(keyring, asker)
  const seconds = Math.max(
    await secondsUntil(trx, { mailboxHash, kind }, UNCONFIRMED_A_DAY[kind]),
    askerHash ? await secondsUntil(trx, { mailboxHash, kind, askerHash }, FOR_ASKER) : 0,
  )
  if (seconds === 0) await insertUnconfirmedLetter(trx, { mailboxHash, kind, askerHash })
  return seconds
}

/** @returns 0, or the seconds until there are fewer than `limit` such letters within a day */
async function secondsUntil(trx: Trx, letters: UnconfirmedLetters, limit: number): Promise<number> {
  return untilAllowed(
    await agesOfUnconfirmedLetters(trx, letters, { withinSeconds: DAY_SECONDS, limit }),
    limit,
  )
}

/** @param ages in seconds, of at most `limit` letters, the newest first */
function untilAllowed(ages: number[], limit: number): number {
  const oldest = ages[limit - 1]
  return oldest === undefined ? 0 : Math.max(1, Math.ceil(DAY_SECONDS - oldest))
}

/** Sends the job that tries again. A job that runs twice sends it once. */
async function waitFor(seconds: number, trx: Trx, deps: SendDeps, round: RoundForLetter): Promise<void> {
  if (round.has_later_job) return
  await deferLetter(trx, round.id, seconds)
  await sendLetterOf(trx, deps, round, seconds)
}

export interface SendDeps {
  jobs: JobSender
}

/** Sends the job for the letter of a round. */
export async function sendLetterOf(
  trx: Trx,
  { jobs }: SendDeps,
  round: Pick<UploadRound, 'id'>,
  afterSeconds = 0,
): Promise<void> {
  await jobs.send(trx, queues.sendLetter, [{ roundId: round.id }], { afterSeconds })
}
