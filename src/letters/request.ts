import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { AppContext } from '../context.ts'
import type { Trx } from '../database/client.ts'
import type { Album, AlbumLetterKind, LetterRow, LetterTable } from '../database/schema.ts'
import { uuidOf } from '../database/uuid.ts'
import { hashAsker, hashDomain, hashMailbox, sealAddress } from './addresses.ts'
import { nameOptOutsAgain } from './facts-queries.ts'
import { OWN_ALBUMS, REQUESTS } from './kind.ts'
import { hasEndedLetters, secondsUntilAllowed } from './limits.ts'
import { detachLetters, endLetters, insertLetter, wakeLetters } from './queries.ts'

interface LetterRequest {
  kind: AlbumLetterKind
  album: Pick<Album, 'id' | 'email'>
  /** Another address than the album's own. */
  email?: string
  /** See `LetterTable`. */
  subjectId?: string
  photos?: number
}

/** Requests a letter as part of the transaction that gives the reason. While such a letter waits, that one says it.
 *  @returns undefined when one waits */
export async function requestLetter(
  trx: Trx,
  deps: Pick<AppContext, 'jobs' | 'keyring'>,
  request: LetterRequest,
  counted: { mailbox_hash?: Buffer; asker_hash?: Buffer } = {},
): Promise<LetterRow | undefined> {
  const { kind, album, email, subjectId, photos } = request
  const id = randomUUID()
  const letter = await insertLetter(trx, {
    id,
    album_id: album.id,
    kind,
    subject_id: subjectId ?? null,
    recipient: email === undefined ? null : sealAddress(deps.keyring, id, email),
    photos: photos ?? null,
    ...counted,
  })
  if (letter) await sendJobs(trx, deps, [id], email ?? album.email)
  return letter
}

/** Requests a letter that asks to confirm an address. Anybody can name anybody's address, so it counts for the limits of a day
 *  from now on.
 *  @param asker the network that asks for it: see `callerNetwork`
 *  @returns the letter, or the seconds until the limits allow it */
export async function requestConfirmation(
  trx: Trx,
  deps: Pick<AppContext, 'jobs' | 'keyring'>,
  request: LetterRequest & { email: string; asker: string },
): Promise<{ letter: LetterRow } | { seconds: number }> {
  const { email, asker, album } = request
  const { keyring } = deps
  const seconds = await secondsUntilAllowed(trx, keyring, REQUESTS, { albumId: album.id, email, asker })
  if (seconds > 0) return { seconds }
  const counted = { mailbox_hash: hashMailbox(keyring, email), asker_hash: hashAsker(keyring, asker) }
  return { letter: (await requestLetter(trx, deps, request, counted))! }
}

/** Requests the letter with the ways into all albums of an address, whether there are any: nobody learns that. Anybody may ask for
 *  it, so it counts for the limits of a day from now on.
 *  @param asker the network that asks for it: see `callerNetwork`
 *  @returns 0, or the seconds until the limits allow it */
export async function requestMyAlbums(
  trx: Trx,
  deps: Pick<AppContext, 'jobs' | 'keyring'>,
  { email, asker }: { email: string; asker: string },
): Promise<number> {
  const { keyring } = deps
  const seconds = await secondsUntilAllowed(trx, keyring, OWN_ALBUMS, { albumId: null, email, asker })
  if (seconds > 0) return seconds
  const mailboxHash = hashMailbox(keyring, email)
  await requestLoose(trx, deps, {
    ...{ kind: 'my-albums', email, subject_id: uuidOf(mailboxHash) },
    ...{ mailbox_hash: mailboxHash, asker_hash: hashAsker(keyring, asker) },
  })
  return 0
}

/** By then a small album is gone. */
const ERASED_SECONDS = 30

/** Requests the letter that says what an erasure has left, to an address that was confirmed. */
export async function requestErased(
  trx: Trx,
  deps: Pick<AppContext, 'jobs' | 'keyring'>,
  { id, email, address_confirmed_at }: Pick<Album, 'id' | 'email' | 'address_confirmed_at'>,
): Promise<void> {
  if (!address_confirmed_at || (await hasEndedLetters(trx, deps.keyring, { id, email }))) return
  await requestLoose(trx, deps, { kind: 'erased', email, subject_id: id }, ERASED_SECONDS)
}

/** @param letter of a kind that belongs to no album */
async function requestLoose(
  trx: Trx,
  deps: Pick<AppContext, 'jobs' | 'keyring'>,
  {
    email,
    ...letter
  }: { email: string } & Pick<Insertable<LetterTable>, 'kind' | 'subject_id' | 'mailbox_hash' | 'asker_hash'>,
  afterSeconds = 0,
): Promise<void> {
  const id = randomUUID()
  const recipient = sealAddress(deps.keyring, id, email)
  if (await insertLetter(trx, { id, album_id: null, recipient, ...letter }))
    await sendJobs(trx, deps, [id], email, afterSeconds)
}

/** Sends the letters to an album's address now that wait. */
export async function sendWaiting(
  trx: Trx,
  deps: Pick<AppContext, 'jobs' | 'keyring'>,
  album: Pick<Album, 'id' | 'email'>,
): Promise<void> {
  await sendJobs(trx, deps, await wakeLetters(trx, album.id), album.email)
}

/** Sends the owner another letter about the opt-outs. A new key or address has ended the links of the former letters,
 *  which leave the outbox. */
export async function tellOptOutsAgain(
  trx: Trx,
  deps: Pick<AppContext, 'jobs' | 'keyring'>,
  album: Pick<Album, 'id' | 'email'>,
): Promise<void> {
  await sendJobs(trx, deps, await endLetters(trx, album.id, 'opt-outs', { onlyClaimed: true }))
  if (await nameOptOutsAgain(trx, album.id)) await requestLetter(trx, deps, { kind: 'opt-outs', album })
}

/** Takes all letters from alerts that are deleted. They leave the outbox. */
export async function removeLetters(
  trx: Trx,
  deps: Pick<AppContext, 'jobs' | 'keyring'>,
  of: { alertIds: string[] },
): Promise<void> {
  await sendJobs(trx, deps, await detachLetters(trx, of))
}

/** Few letters to one mail server are sent at once, so that none waits for a slow server of others.
 *  @param email decides the server; undefined for letters that were ended */
export async function sendJobs(
  trx: Trx,
  { keyring, jobs }: Pick<AppContext, 'jobs' | 'keyring'>,
  letterIds: string[],
  email?: string,
  afterSeconds = 0,
): Promise<void> {
  const group = email === undefined ? undefined : hashDomain(keyring, email).toString('base64url')
  await jobs.send(
    trx,
    'send-letter',
    letterIds.map((letterId) => ({ letterId })),
    { afterSeconds, ...(group && { group }) },
  )
}
