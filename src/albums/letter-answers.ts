import type { Trx } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { isRefusedAddress, saveRefusedAddress } from '../mail/recipient-queries.ts'
import { ownerAddressHashes } from '../mail/recipients.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { REMEMBERED, type SendDeps, sendLetterOf } from './begin-letter.ts'
import { findAlbumToConfirm, readStopToken } from './letter-links.ts'
import { findWaitingLetter, markAddressConfirmed, markLettersEnded } from './letter-queries.ts'
import { invalidLetterLink } from './letter-token.ts'
import { findOrCountWrong, type LimitDeps } from './rate-limits.ts'

/** The token of a letter, and who uses it. */
export interface Answer {
  token: string
  /** The caller's network address. */
  address: string
}

type Deps = LimitDeps & { jobs: JobSender }

/** The album was opened through the link of its letter, so its address belongs to somebody who wants it. A letter that
 *  waits for the next day is sent now.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function confirmAddress(deps: Deps, { token, address }: Answer): Promise<void> {
  const { id } = await findOrCountWrong(deps, { address }, () => findAlbumToConfirm(deps, token))
  await withAlbum(deps.db, id, async (trx, album) => {
    // Guests open the same link when the owner passes it on. The address may have changed before the album was locked.
    if (!album || album.address_confirmed_at) return
    await findAlbumToConfirm({ db: trx, keyring: deps.keyring }, token)
    await markAddressConfirmed(trx, id)
    await sendWaitingLetter(deps, trx, id)
  })
}

/** Sends a letter now that waits for the next day. */
export async function sendWaitingLetter(deps: SendDeps, trx: Trx, albumId: string): Promise<void> {
  const waiting = await findWaitingLetter(trx, albumId)
  if (waiting) await sendLetterOf(trx, deps, waiting)
}

/** Ends all letters from an album to the address that the token's letter was sent to, also when the album has another
 *  address by now.
 *  @returns whether they had ended before
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function endLetters(
  deps: LimitDeps,
  { token, address }: Answer,
): Promise<{ hadEnded: boolean }> {
  const { id, addressHash } = await findOrCountWrong(deps, { address }, () =>
    readStopToken(deps.keyring, token),
  )
  return await withAlbum(deps.db, id, async (trx, album) => {
    if (!album) throw invalidLetterLink()
    const wasRefused = await isRefusedAddress(trx, [addressHash], REMEMBERED.refusalsSeconds)
    await saveRefusedAddress(trx, addressHash)
    if (isAddressOf(deps, album, addressHash)) return { hadEnded: !(await markLettersEnded(trx, id)) }
    return { hadEnded: wasRefused }
  })
}

const isAddressOf = ({ keyring }: LimitDeps, { id, email }: Album, addressHash: Buffer) =>
  ownerAddressHashes(keyring, id, email).some((hash) => hash.equals(addressHash))
