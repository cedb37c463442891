import { SEARCH_ENDED, SEARCH_OF_FORMER_PASSWORD, SEARCH_UNKNOWN } from '../contract/wording.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import type { Asked } from './asked-faces.ts'
import type { Templates } from './tickets.ts'

/** What a search hands back in place of its selfies, so that each selfie is sent once. It is for the hour after that answer,
 *  and only the session that searched can use it. What the person has said about faces is not in it, because they may take that
 *  back. A repeated search gives a fresh one. Nothing of it is stored here. It gives no right to the album. */
export interface SearchTicket {
  /** See PersonSearch: of the engines that were searched. It is biometric data. */
  evidence: Templates
  /** How many selfies that is. */
  selfies: number
}

/** The first byte. Tickets that remember a person have another one. */
const SEARCH_TICKET_VERSION = 2
const LIFETIME_MS = 3_600_000

/** The content of a ticket. */
interface Sealed extends Pick<SearchTicket, 'selfies'> {
  /** In base64. */
  evidence: Record<string, string>
  /** Ms since 1970. */
  endsAt: number
  /** Null for the owner, whose session does not end with the password. */
  passwordVersion: number | null
}

export const searchEnded = () => new AppError('FORBIDDEN', SEARCH_ENDED)
export const searchOfFormerPassword = () => new AppError('FORBIDDEN', SEARCH_OF_FORMER_PASSWORD)
export const searchUnknown = () => new AppError('FORBIDDEN', SEARCH_UNKNOWN)

/** Whether a text is a search ticket, and not one that remembers a person.
 *  @param ticket untrusted */
export function isSearchTicket(ticket: string): boolean {
  return Buffer.from(ticket.slice(0, 4), 'base64url')[0] === SEARCH_TICKET_VERSION
}

/** @param now ms since 1970 */
export function sealSearch(
  keyring: Keyring,
  asked: Asked,
  { evidence, ...rest }: SearchTicket,
  now = Date.now(),
): string {
  const texts = Object.entries(evidence).map(([engine, bytes]) => [engine, bytes.toString('base64')])
  const sealed: Sealed = {
    ...rest,
    evidence: Object.fromEntries(texts),
    endsAt: now + LIFETIME_MS,
    passwordVersion: asked.isOwner ? null : asked.album.password_version,
  }
  const cipher = keyring.encrypt('search-ticket', JSON.stringify(sealed), contextOf(asked))
  return Buffer.concat([Buffer.of(SEARCH_TICKET_VERSION), cipher]).toString('base64url')
}

/** @param ticket an untrusted text
 *  @param now ms since 1970
 *  @throws AppError FORBIDDEN when the hour is over, the album has another password since, or the ticket is not from a search
 *  of this session in this album */
export function openSearch(keyring: Keyring, asked: Asked, ticket: string, now = Date.now()): SearchTicket {
  const { evidence, endsAt, passwordVersion, ...rest } = unseal(keyring, asked, ticket)
  if (passwordVersion !== null && passwordVersion !== asked.album.password_version)
    throw searchOfFormerPassword()
  if (now >= endsAt) throw searchEnded()
  const bytes = Object.entries(evidence).map(([engine, text]) => [engine, Buffer.from(text, 'base64')])
  return { ...rest, evidence: Object.fromEntries(bytes) }
}

function unseal(keyring: Keyring, asked: Asked, ticket: string): Sealed {
  try {
    const cipher = Buffer.from(ticket, 'base64url').subarray(1)
    return JSON.parse(keyring.decrypt('search-ticket', cipher, contextOf(asked)))
  } catch {
    // The fault says nothing that helps, and what it is about must not get into a log.
    throw searchUnknown()
  }
}

/** What a ticket is bound to, besides the password. The version of that is inside, so that the refusal can name it. */
function contextOf({ album, sessionId }: Asked): string {
  return `${SEARCH_TICKET_VERSION} ${album.id} ${sessionId}`
}
