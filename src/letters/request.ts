import { randomUUID } from 'node:crypto'
import type { AppContext } from '../context.ts'
import type { Trx } from '../database/client.ts'
import type { Album, LetterKind, LetterRow } from '../database/schema.ts'
import { hashAsker, hashDomain, hashMailbox, sealAddress } from './addresses.ts'
import { nameOptOutsAgain } from './facts-queries.ts'
import { REQUESTS } from './kind.ts'
import { secondsUntilAllowed } from './limits.ts'
import { detachLetters, endLetters, insertLetter, wakeLetters } from './queries.ts'

interface LetterRequest {
  kind: LetterKind
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
