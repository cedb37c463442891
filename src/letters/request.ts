import { randomUUID } from 'node:crypto'
import type { AppContext } from '../context.ts'
import type { Trx } from '../database/client.ts'
import type { Album, LetterRow } from '../database/schema.ts'
import { uuidOf } from '../database/uuid.ts'
import { hashAsker, hashDomain, hashMailbox, sealAddress } from './addresses.ts'
import { nameOptOutsAgain } from './facts-queries.ts'
import { type AlbumLetterKind, KINDS, type LetterKind, LOOSE_KINDS, toAlbum } from './kinds.ts'
import { hasEndedLetters, secondsUntilAllowed } from './limits.ts'
import { endLetters, insertLetter, wakeLetters } from './queries.ts'

type Requesting = Pick<AppContext, 'jobs' | 'keyring'>
type Addressed = Pick<Album, 'id' | 'email'>

interface LetterRequest {
  kind: LetterKind
  /** Missing for a kind that belongs to no album. */
  album?: Addressed
  /** Another address than the album's own. */
  email?: string
  /** See `LetterTable`. */
  subjectId?: string
  photos?: number
  /** The network that asks for it: see `callerNetwork`. Anybody can name anybody's address, so such a letter counts for the limits
   *  of a day from now on. */
  asker?: string
  afterSeconds?: number
}

/** Requests a letter as part of the transaction that gives the reason. While such a letter waits, that one says it.
 *  @returns undefined when one waits */
export async function requestLetter(
  trx: Trx,
  deps: Requesting,
  { kind, album, email, subjectId, photos, asker, afterSeconds }: LetterRequest,
): Promise<LetterRow | undefined> {
  const { keyring } = deps
  const id = randomUUID()
  const to = (email ?? album?.email)!
  const letter = await insertLetter(trx, {
    id,
    album_id: album?.id ?? null,
    kind,
    subject_id: subjectId ?? null,
    recipient: email === undefined ? null : sealAddress(keyring, id, email),
    photos: photos ?? null,
    ...(asker && { mailbox_hash: hashMailbox(keyring, to), asker_hash: hashAsker(keyring, asker) }),
  })
  if (letter) await sendJobs(trx, deps, [id], to, afterSeconds)
  return letter
}

/** Requests a letter that asks to confirm an address.
 *  @returns the letter, or the seconds until the limits allow it */
export async function requestConfirmation(
  trx: Trx,
  deps: Requesting,
  request: LetterRequest & { kind: AlbumLetterKind; album: Addressed; email: string; asker: string },
): Promise<{ letter: LetterRow } | { seconds: number }> {
  const { kind, email, asker } = request
  const by = { albumId: request.album.id, email, asker }
  const seconds = await secondsUntilAllowed(trx, deps.keyring, KINDS[kind].limits!, by)
  return seconds > 0 ? { seconds } : { letter: (await requestLetter(trx, deps, request))! }
}

/** Requests the letter with the ways into all albums of an address, whether there are any: nobody learns that.
 *  @returns 0, or the seconds until the limits allow it */
export async function requestMyAlbums(
  trx: Trx,
  deps: Requesting,
  asked: { email: string; asker: string },
): Promise<number> {
  const limits = LOOSE_KINDS['my-albums'].limits!
  const seconds = await secondsUntilAllowed(trx, deps.keyring, limits, { albumId: null, ...asked })
  if (seconds > 0) return seconds
  const subjectId = uuidOf(hashMailbox(deps.keyring, asked.email))
  await requestLetter(trx, deps, { kind: 'my-albums', subjectId, ...asked })
  return 0
}

/** By then a small album is gone. */
const ERASED_SECONDS = 30

/** Requests the letter that says what an erasure has left, to an address that was confirmed. */
export async function requestErased(
  trx: Trx,
  deps: Requesting,
  { id, email, address_confirmed_at }: Pick<Album, 'id' | 'email' | 'address_confirmed_at'>,
): Promise<void> {
  if (!address_confirmed_at || (await hasEndedLetters(trx, deps.keyring, { id, email }))) return
  await requestLetter(trx, deps, { kind: 'erased', email, subjectId: id, afterSeconds: ERASED_SECONDS })
}

/** Sends the letters to an album's address now that wait. */
export async function sendWaiting(trx: Trx, deps: Requesting, album: Addressed): Promise<void> {
  await sendJobs(trx, deps, await wakeLetters(trx, album.id, toAlbum()), album.email)
}

/** Sends the owner another letter about the opt-outs. A new key or address has ended the links of the former letters,
 *  which leave the outbox. */
export async function tellOptOutsAgain(trx: Trx, deps: Requesting, album: Addressed): Promise<void> {
  await sendJobs(trx, deps, await endLetters(trx, album.id, 'opt-outs', { onlyClaimed: true }))
  if (await nameOptOutsAgain(trx, album.id)) await requestLetter(trx, deps, { kind: 'opt-outs', album })
}

/** Few letters to one mail server are sent at once, so that none waits for a slow server of others.
 *  @param email decides the server; undefined for letters that were ended */
export async function sendJobs(
  trx: Trx,
  { keyring, jobs }: Requesting,
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
