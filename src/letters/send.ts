import type { AppContext } from '../context.ts'
import { isOpen } from '../contract/albums/opening.ts'
import type { Trx } from '../database/client.ts'
import type { Album, LetterRow } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { hasCode } from '../errors.ts'
import { addressHashes, hashMailbox, openAddress } from './addresses.ts'
import { nameOptOuts } from './facts-queries.ts'
import { aboutAlbum, type ClaimedLetter, type Gathering, isLoose, LOOSE_KINDS } from './kinds.ts'
import { type Draft, layOut } from './layout.ts'
import { isUnwanted, waitOf } from './limits.ts'
import {
  deferLetter,
  findDueLetter,
  findLetter,
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

/** A letter that is sent now; without an album when it belongs to none. */
type Claimed = Omit<ClaimedLetter, 'album'> & { album: Album | undefined }

/** Sends a letter, if it is to be sent now. A letter that may not have arrived is sent again under the same id. One that was ended
 *  leaves the outbox.
 *  @throws AppError SERVICE_UNAVAILABLE when it is to be tried again */
export async function sendLetter(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'log' | 'mailer' | 'outbox' | 'siteUrl'>,
  letterId: string,
): Promise<void> {
  const letter = await findLetter(deps.db, letterId)
  if (!letter || letter.ended_at || !(letter.album_id || isLoose(letter.kind)))
    return await deps.outbox.remove([letterId])
  const claimed = await claim(deps, letter)
  if (!claimed) return
  const { album, to } = claimed
  const draft = album
    ? await aboutAlbum(letter.kind).write(deps, { ...claimed, album })
    : await writeLoose(deps, claimed)
  if (!draft) return await markEnded(deps.db, letterId)
  try {
    await deps.mailer.send({ id: letterId, to, ...layOut(draft) })
  } catch (error) {
    return await giveUp(deps, claimed, error)
  }
  // It was ended, or its album erased, and nobody has found it in the outbox yet.
  if (!(await markSent(deps.db, letter))) await deps.outbox.remove([letterId])
}

async function writeLoose(deps: Gathering, claimed: Claimed): Promise<Draft | undefined> {
  const { kind } = claimed.letter
  return isLoose(kind) ? await LOOSE_KINDS[kind].write(deps, claimed) : undefined
}

/** Decides whether a letter is sent now: in one transaction, which also counts it. A letter above a limit waits until the limit
 *  allows it. What is to be said meanwhile is said by it, too.
 *
 *  An address is confirmed for one album only. Anybody can name a confirmed address for a new album, and that must not
 *  carry their words to it. */
async function claim(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring'>,
  { id, album_id: albumId }: LetterRow,
): Promise<Claimed | undefined> {
  const { db, keyring } = deps
  async function decide(trx: Trx, album?: Album): Promise<Claimed | undefined> {
    const letter = await findDueLetter(trx, id)
    if (!letter || letter.album_id !== (album?.id ?? null)) return undefined
    const about = album && { album, kind: aboutAlbum(letter.kind) }
    const to = about?.kind.isToAlbum
      ? about.album.email
      : letter.recipient && openAddress(keyring, id, letter.recipient)
    const reading = about && { albumId: about.album.id, reader: about.kind.reader }
    if (!to || (await isUnwanted(trx, keyring, to, reading))) {
      // The opt-outs that it would name have not to wait for it.
      if (letter.kind === 'opt-outs') await nameOptOuts(trx, letter)
      await markEnded(trx, id)
      return undefined
    }
    const isShut = about && letter.kind === 'news' && !isOpen(about.album.settings)
    const wait = isShut
      ? { seconds: ASK_AGAIN_SECONDS, counts: false }
      : about && (await waitOf(trx, keyring, { letter, album: about.album, to }, about.kind))
    if (wait && wait.seconds > 0) {
      await deferLetter(trx, id, wait.seconds)
      await sendJobs(trx, deps, [id], to, wait.seconds)
      return undefined
    }
    if (letter.kind === 'opt-outs' && !letter.claimed_at) await nameOptOuts(trx, letter)
    const claimed = await markClaimed(trx, id, wait?.counts ? hashMailbox(keyring, to) : undefined)
    return { letter: claimed, album, to }
  }
  return albumId ? await withAlbum(db, albumId, decide) : await db.transaction().execute((trx) => decide(trx))
}

/** Gives a letter up whose address is refused permanently, and records the address as refused.
 *  @throws the error when it is to be tried again */
async function giveUp(
  deps: Pick<AppContext, 'db' | 'keyring' | 'log'>,
  { letter, to }: Claimed,
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
