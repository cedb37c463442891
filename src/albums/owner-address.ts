import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { ConfirmedAddress, LetterAddress } from '../contract/albums/owner-address.ts'
import { ADDRESS_CONFIRM_HOURS } from '../contract/limits.ts'
import type { Trx } from '../database/client.ts'
import type { Album, LetterRow } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import { openAddress } from '../letters/addresses.ts'
import { hasEndedLetters } from '../letters/limits.ts'
import { invalidLetterLink, isForAddress, isForOwner, readLink } from '../letters/links.ts'
import {
  endLetters,
  endRefusalsOfAlbum,
  findAddressLetter,
  findLetter,
  hasSentLetters,
  isRefusedAddress,
  saveRefusedAddress,
} from '../letters/queries.ts'
import { requestConfirmation, requestLetter, sendWaiting, tellOptOutsAgain } from '../letters/request.ts'
import { withOwnedAlbum } from './access.ts'
import { findAlbum, setAddress } from './queries.ts'
import { countCall, findOrCountWrong, tooManyCalls } from './rate-limits.ts'

/** The token of a letter, and who uses it. */
export interface Answer {
  token: string
  /** The caller's network address. */
  address: string
}

const addressLinkEnded = () =>
  new AppError('CONFLICT', "This link has ended. Enter the address again on the album's page.")

/** Where an album's letters go. Addresses are shortened: an owner recognises their own, and a thief of the owner key learns no
 *  more. */
export async function letterAddressOf(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  album: Pick<Album, 'id' | 'email'>,
): Promise<LetterAddress> {
  const letter = await findAddressLetter(db, album.id)
  const waiting = letter && openAddress(keyring, letter.id, letter.recipient)
  return {
    address: shortened(album.email),
    waiting: waiting ? { address: shortened(waiting), confirmBefore: endOf(letter) } : null,
  }
}

/** Changes the address of an album's letters. While the album has sent no letter at all, the new address takes the place of
 *  the present one at once: that gives nobody more than a new album with this address would. Later the new address is asked
 *  to confirm that letters may go to it, and until then they go to the present one. It replaces another change that waits:
 *  the owner has typed that one wrong, and nobody there may get the album's letters.
 *  @param by the caller; `address` is their network
 *  @throws AppError TOO_MANY_REQUESTS, NOT_FOUND when the album has been erased, CONFLICT when its owner key has changed */
export async function changeOwnerAddress(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'limits'>,
  album: Album,
  email: string,
  by: Actor & { address: string },
): Promise<LetterAddress> {
  await countCall(deps, 'newAddress', { address: album.id })
  return await withOwnedAlbum(deps.db, album, async (trx, locked) => {
    if (!locked.address_confirmed_at && !(await hasSentLetters(trx, album.id))) {
      await replaceAddress(trx, deps, locked, { email, isConfirmed: false, by })
      return { address: shortened(email), waiting: null }
    }
    await endLetters(trx, album.id, 'confirm-address')
    const request = { kind: 'confirm-address' as const, album, email, asker: by.address }
    const requested = await requestConfirmation(trx, deps, request)
    if ('seconds' in requested) throw tooManyCalls(deps.limits.newAddress, requested.seconds)
    return {
      address: shortened(locked.email),
      waiting: { address: shortened(email), confirmBefore: endOf(requested.letter) },
    }
  })
}

/** The button of that letter was pressed: from now on the album's letters go there. A former address that was confirmed gets
 *  a notice. May be repeated.
 *  @throws AppError NOT_FOUND for a wrong token, CONFLICT when the link has ended, TOO_MANY_REQUESTS */
export async function confirmNewAddress(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'limits'>,
  { token, address }: Answer,
): Promise<ConfirmedAddress> {
  const { db, keyring } = deps
  const { link, albumId } = await findOrCountWrong(deps, { address }, async () => {
    const link = readLink(keyring, token, 'address')
    const letter = await findLetter(db, link.id)
    const album = letter?.album_id && (await findAlbum(db, { id: letter.album_id }))
    if (!album || link.version !== album.owner_key_version) throw invalidLetterLink()
    return { link, albumId: album.id }
  })
  return await withAlbum(db, albumId, async (trx, album) => {
    // A new owner key may have ended the link before the album was locked.
    if (!album || link.version !== album.owner_key_version) throw invalidLetterLink()
    const isDone = album.address_confirmed_at !== null && isForAddress(keyring, link.to, album)
    if (!isDone) await applyChange(trx, deps, album, { letterId: link.id, by: { role: 'owner', address } })
    return { displayName: album.display_name, albumName: album.slug }
  })
}

async function applyChange(
  trx: Trx,
  deps: Pick<AppContext, 'jobs' | 'keyring'>,
  album: Album,
  { letterId, by }: { letterId: string; by: Actor },
): Promise<void> {
  const { keyring } = deps
  const letter = await findAddressLetter(trx, album.id)
  const email = letter?.id === letterId && openAddress(keyring, letterId, letter.recipient)
  if (!email) throw addressLinkEnded()
  // Nobody knows whose an address is that was never confirmed.
  const tellsFormer =
    album.address_confirmed_at && email !== album.email && !(await hasEndedLetters(trx, keyring, album))
  await endLetters(trx, album.id, 'confirm-address')
  const former = { kind: 'former-address' as const, album, email: album.email, subjectId: letterId }
  if (tellsFormer) await requestLetter(trx, deps, former)
  const changed = await replaceAddress(trx, deps, album, { email, isConfirmed: true, by })
  await tellOptOutsAgain(trx, deps, changed)
}

/** Letters go to another address from now on.
 *  @param album locked by this transaction */
export async function replaceAddress(
  trx: Trx,
  { keyring, jobs }: Pick<AppContext, 'jobs' | 'keyring'>,
  album: Album,
  { email, isConfirmed, by }: { email: string; isConfirmed: boolean; by: Actor },
): Promise<Album> {
  const changed = await setAddress(trx, album.id, { email, isConfirmed })
  await sendWaiting(trx, { keyring, jobs }, changed)
  await endRefusalsOfAlbum(trx, album.id)
  await recordEvent({ db: trx, keyring }, { event: 'letter address changed', album, by })
  return changed
}

/** The album was opened through the link of its letter, or of one with all albums of the address, so its address belongs to
 *  somebody who wants it. A letter that
 *  waits for the next day is sent now.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function confirmAddress(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'limits'>,
  { token, address }: Answer,
): Promise<void> {
  const { db, keyring } = deps
  const { id } = await findOrCountWrong(deps, { address }, async () => {
    const link = readLink(keyring, token, 'open', 'return')
    const album = await findAlbum(db, { id: link.id })
    if (!album || !isForOwner(keyring, link, album)) throw invalidLetterLink()
    return album
  })
  await withAlbum(db, id, async (trx, album) => {
    // Guests open the same link when the owner passes it on.
    if (!album || album.address_confirmed_at) return
    // The address may have changed before the album was locked.
    if (!isForOwner(keyring, readLink(keyring, token, 'open', 'return'), album)) throw invalidLetterLink()
    await setAddress(trx, id, { email: album.email, isConfirmed: true })
    await sendWaiting(trx, deps, album)
  })
}

/** Ends all letters from an album to the address that the token's letter was sent to, also when the album has another
 *  address by now.
 *  @returns whether they had ended before
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function endOwnerLetters(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  { token, address }: Answer,
): Promise<{ hadEnded: boolean }> {
  const { keyring } = deps
  const { id, to } = await findOrCountWrong(deps, { address }, () => readLink(keyring, token, 'stop'))
  const hash = Buffer.from(to!, 'base64url')
  return await withAlbum(deps.db, id, async (trx, album) => {
    if (!album) throw invalidLetterLink()
    const hadEnded = await isRefusedAddress(trx, [hash])
    await saveRefusedAddress(trx, hash, isForAddress(keyring, to, album) ? id : undefined)
    return { hadEnded }
  })
}

function endOf({ created_at }: Pick<LetterRow, 'created_at'>): string {
  return new Date(created_at.getTime() + ADDRESS_CONFIRM_HOURS * 3_600_000).toISOString()
}

/** `o…@example.com` */
function shortened(email: string): string {
  return `${[...email][0]}…${email.slice(email.lastIndexOf('@'))}`
}
