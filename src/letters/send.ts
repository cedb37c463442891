import type { AppContext } from '../context.ts'
import { isOpen } from '../contract/opening.ts'
import type { LetterKind } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { hasCode } from '../errors.ts'
import { addressHashes, hashMailbox, openAddress } from './addresses.ts'
import { nameOptOuts } from './facts-queries.ts'
import type { ClaimedLetter } from './kind.ts'
import { KINDS, LOOSE_KINDS } from './kinds.ts'
import type { Content } from './layout.ts'
import { isOfAlbum, isUnwanted, waitOf } from './limits.ts'
import {
  deferLetter,
  findDueLetter,
  findLetter,
  isRefusedAddress,
  markClaimed,
  markEnded,
  markSent,
  saveRefusedAddress,
} from './queries.ts'
import { sendJobs } from './request.ts'

/** How often a letter is tried that the mail server refuses without saying why. The pauses grow to an hour, so this is more than
 *  a day: a limit of the sender is over by then. */
const TRIES_WITHOUT_REASON = 40

/** A letter to a guest waits while the album is not open. */
const ASK_AGAIN_SECONDS = 600

/** Sends a letter, if it is to be sent now. A letter that may not have arrived is sent again under the same id. One that was ended
 *  leaves the outbox.
 *  @throws AppError SERVICE_UNAVAILABLE when it is to be tried again */
export async function sendLetter(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'log' | 'mailer' | 'outbox' | 'siteUrl'>,
  letterId: string,
): Promise<void> {
  const letter = await findLetter(deps.db, letterId)
  if (!letter || letter.ended_at || !(letter.album_id || isOfNoAlbum(letter.kind)))
    return await deps.outbox.remove([letterId])
  const written = letter.album_id
    ? await writeAboutAlbum(deps, letterId, letter.album_id)
    : await writeLoose(deps, letterId)
  if (!written) return
  const { claimed, content } = written
  if (!content) return await markEnded(deps.db, letterId)
  try {
    await deps.mailer.send({ id: letterId, to: claimed.to, ...content })
  } catch (error) {
    await giveUp(deps, claimed, error)
    return
  }
  // It was ended, or its album erased, and nobody has found it in the outbox yet.
  if (!(await markSent(deps.db, letterId))) await deps.outbox.remove([letterId])
}

const isOfNoAlbum = (kind: LetterKind): kind is keyof typeof LOOSE_KINDS => kind in LOOSE_KINDS

interface Written {
  claimed: Pick<ClaimedLetter, 'letter' | 'to'>
  content: Content | undefined
}

/** @returns undefined when it is not sent now */
async function writeAboutAlbum(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'siteUrl'>,
  letterId: string,
  albumId: string,
): Promise<Written | undefined> {
  const claimed = await claim(deps, letterId, albumId)
  const kind = claimed?.letter.kind
  if (!claimed || !kind || isOfNoAlbum(kind)) return undefined
  return { claimed, content: await KINDS[kind].write(deps, claimed) }
}

/** The same for a letter that belongs to no album. Its limits were asked when it was requested. */
async function writeLoose(
  deps: Pick<AppContext, 'db' | 'keyring' | 'siteUrl'>,
  letterId: string,
): Promise<Written | undefined> {
  const { db, keyring } = deps
  const claimed = await db.transaction().execute(async (trx) => {
    const letter = await findDueLetter(trx, letterId)
    if (!letter) return undefined
    const to = letter.recipient && openAddress(keyring, letterId, letter.recipient)
    if (to && !(await isRefusedAddress(trx, addressHashes(keyring, to))))
      return { letter: await markClaimed(trx, letterId), to }
    await markEnded(trx, letterId)
  })
  if (!claimed || !isOfNoAlbum(claimed.letter.kind)) return undefined
  return { claimed, content: await LOOSE_KINDS[claimed.letter.kind].write(deps, claimed) }
}

/** Decides whether a letter is sent now: in one transaction, which also counts it. A letter above a limit waits until the limit
 *  allows it. What is to be said meanwhile is said by it, too.
 *
 *  An address is confirmed for one album only. Anybody can name a confirmed address for a new album, and that must not
 *  carry their words to it. */
async function claim(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring'>,
  letterId: string,
  albumId: string,
): Promise<ClaimedLetter | undefined> {
  const { db, keyring } = deps
  return await withAlbum(db, albumId, async (trx, album) => {
    const letter = await findDueLetter(trx, letterId)
    if (!album || letter?.album_id !== albumId || isOfNoAlbum(letter.kind)) return undefined
    const kind = KINDS[letter.kind]
    const to = isOfAlbum(letter.kind)
      ? album.email
      : letter.recipient && openAddress(keyring, letterId, letter.recipient)
    if (!to || (await isUnwanted(trx, keyring, albumId, { email: to, reader: kind.reader }))) {
      // The opt-outs that it would name have not to wait for it.
      if (letter.kind === 'opt-outs') await nameOptOuts(trx, letter)
      await markEnded(trx, letterId)
      return undefined
    }
    const isShut = letter.kind === 'news' && !isOpen(album)
    const { seconds, counts } = isShut
      ? { seconds: ASK_AGAIN_SECONDS, counts: false }
      : await waitOf(trx, keyring, { letter, album, to }, kind)
    if (seconds > 0) {
      await deferLetter(trx, letterId, seconds)
      await sendJobs(trx, deps, [letterId], to, seconds)
      return undefined
    }
    if (letter.kind === 'opt-outs' && !letter.claimed_at) await nameOptOuts(trx, letter)
    const claimed = await markClaimed(trx, letterId, counts ? hashMailbox(keyring, to) : undefined)
    return { letter: claimed, album, to }
  })
}

/** Gives a letter up whose address is refused permanently, and records the address as refused.
 *  @throws the error when it is to be tried again */
async function giveUp(
  deps: Pick<AppContext, 'db' | 'keyring' | 'log'>,
  { letter, to }: Written['claimed'],
  error: unknown,
): Promise<void> {
  const isOver = hasCode(error, 'FORBIDDEN') && letter.tries >= TRIES_WITHOUT_REASON
  if (!hasCode(error, 'UNPROCESSABLE_CONTENT') && !isOver) throw error
  const about = { letterId: letter.id, albumId: letter.album_id, kind: letter.kind }
  deps.log.warn({ ...about, err: error }, 'A letter cannot be delivered and is given up')
  await deps.db.transaction().execute(async (trx) => {
    await saveRefusedAddress(trx, addressHashes(deps.keyring, to)[0])
    await markEnded(trx, letter.id)
  })
}
