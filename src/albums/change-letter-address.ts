import { randomUUID } from 'node:crypto'
import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { ConfirmedAddress, LetterAddress } from '../contract/letter-address.ts'
import { ADDRESS_CONFIRM_HOURS } from '../contract/limits.ts'
import type { Db, Trx } from '../database/client.ts'
import type { AddressChange, Album } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import { withOwnedAlbum } from './access.ts'
import {
  endAddressChanges,
  findAddressChange,
  findWaitingChange,
  insertAddressChange,
  markChangeConfirmed,
} from './address-change-queries.ts'
import { readAddressLink } from './address-links.ts'
import { secondsUntilUnconfirmed } from './begin-letter.ts'
import { type Answer, sendWaitingLetter } from './letter-answers.ts'
import { lettersOfAlbum, setLetterAddress } from './letter-queries.ts'
import { invalidLetterLink } from './letter-token.ts'
import { findAlbum } from './queries.ts'
import { countCall, findOrCountWrong, type LimitDeps, tooManyCalls } from './rate-limits.ts'
import { openAddress, sealAddress } from './sealed-address.ts'
import { tellOptOutsAgain } from './tell-again.ts'

type Deps = LimitDeps & { jobs: JobSender }

const addressLinkEnded = () =>
  new AppError('CONFLICT', "This link has ended. Enter the address again on the album's page.")

/** Where an album's letters go. Addresses are shortened: an owner recognises their own, and a thief of the owner key learns no
 *  more. */
export async function letterAddressOf(
  { db, keyring }: { db: Db; keyring: Keyring },
  album: Pick<Album, 'id' | 'email'>,
): Promise<LetterAddress> {
  const change = await findWaitingChange(db, album.id)
  const waiting = change && openAddress(keyring, change.id, change.new_address)
  return {
    address: shortened(album.email),
    waiting: waiting ? { address: shortened(waiting), confirmBefore: endOf(change) } : null,
  }
}

/** Changes the address of an album's letters. While the album has sent no letter at all, the new address takes the place of
 *  the present one at once: that gives nobody more than a new album with this address would. Later the new address is asked
 *  to confirm that letters may go to it, and until then they go to the present one. It replaces another change that waits:
 *  the owner has typed that one wrong, and nobody there may get the album's letters.
 *  @param album as it was when the caller's right was checked
 *  @param by the caller; `address` is their network
 *  @throws AppError TOO_MANY_REQUESTS, NOT_FOUND when the album has been erased, CONFLICT when its owner key has changed */
export async function changeLetterAddress(
  deps: Deps,
  album: Album,
  email: string,
  by: Actor & { address: string },
): Promise<LetterAddress> {
  const { keyring } = deps
  const { address } = by
  await countCall(deps, 'newAddress', { address: album.id })
  return await withOwnedAlbum(deps.db, album, async (trx, locked) => {
    if (!locked.address_confirmed_at && (await lettersOfAlbum(trx, album.id)).length === 0) {
      await setLetterAddress(trx, album.id, { email, isConfirmed: false })
      await recordEvent({ db: trx, keyring }, { event: 'letter address changed', album, by })
      return { address: shortened(email), waiting: null }
    }
    const seconds = await secondsUntilUnconfirmed(trx, keyring, email, 'request', address)
    if (seconds > 0) throw tooManyCalls(deps.limits.newAddress, seconds)
    await endAddressChanges(trx, album.id)
    const id = randomUUID()
    const row = { id, album_id: album.id, new_address: sealAddress(keyring, id, email) }
    const change = await insertAddressChange(trx, row)
    await deps.jobs.send(trx, queues.confirmNewAddress, [{ changeId: id }])
    return {
      address: shortened(locked.email),
      waiting: { address: shortened(email), confirmBefore: endOf(change) },
    }
  })
}

/** The button of that letter was pressed: from now on the album's letters go there. A former address that was confirmed gets
 *  a notice. May be repeated.
 *  @throws AppError NOT_FOUND for a wrong token, CONFLICT when the link has ended, TOO_MANY_REQUESTS */
export async function confirmLetterAddress(
  deps: Deps,
  { token, address }: Answer,
): Promise<ConfirmedAddress> {
  const { changeId, albumId, isFor } = await findOrCountWrong(deps, { address }, async () => {
    const link = readAddressLink(deps.keyring, token)
    const change = await findAddressChange(deps.db, link.changeId)
    const known = change && (await findAlbum(deps.db, { id: change.album_id }))
    if (!known || !link.isFor(known)) throw invalidLetterLink()
    return { ...link, albumId: known.id }
  })
  return await withAlbum(deps.db, albumId, async (trx, album) => {
    // A new owner key may have ended the link before the album was locked.
    if (!album || !isFor(album)) throw invalidLetterLink()
    const isDone = (await findAddressChange(trx, changeId))?.confirmed_at
    if (!isDone) await applyChange(deps, trx, album, { id: changeId, by: { role: 'owner', address } })
    return { displayName: album.display_name, albumName: album.slug }
  })
}

async function applyChange(
  deps: Deps,
  trx: Trx,
  album: Album,
  { id, by }: { id: string; by: Actor },
): Promise<void> {
  const { keyring } = deps
  const change = await findWaitingChange(trx, album.id, id)
  const email = change && openAddress(keyring, id, change.new_address)
  if (!email) throw addressLinkEnded()
  // Nobody knows whose an address is that was never confirmed.
  const tellsFormer = album.address_confirmed_at && !album.letters_ended_at && email !== album.email
  await endAddressChanges(trx, album.id)
  await markChangeConfirmed(trx, id, tellsFormer ? sealAddress(keyring, id, album.email) : null)
  await setLetterAddress(trx, album.id, { email, isConfirmed: true })
  await recordEvent({ db: trx, keyring }, { event: 'letter address changed', album, by })
  if (tellsFormer) await deps.jobs.send(trx, queues.tellFormerAddress, [{ changeId: id }])
  await tellOptOutsAgain(deps.jobs, trx, album.id)
  await sendWaitingLetter(deps, trx, album.id)
}

function endOf({ created_at }: Pick<AddressChange, 'created_at'>): string {
  return new Date(created_at.getTime() + ADDRESS_CONFIRM_HOURS * 3_600_000).toISOString()
}

/** `o…@example.com` */
function shortened(email: string): string {
  return `${[...email][0]}…${email.slice(email.lastIndexOf('@'))}`
}
