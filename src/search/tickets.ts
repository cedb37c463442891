import { ANSWERED_MAX_FACES, TICKET_DAYS } from '../contract/limits.ts'
import type { Album, EngineName } from '../database/schema.ts'
import { ticketRefused } from '../faces/errors.ts'
import type { Keyring } from '../keyring.ts'

/** What each face engine needs to search for a person again: see FaceIndex. */
export type Templates = Partial<Record<EngineName, Buffer>>

/** What finds a person in an album again without a selfie. It is biometric data. */
export interface RememberedPerson {
  templates: Templates
  /** Ids of faces that the person has said are theirs. */
  confirmed: string[]
  /** Ids of faces that the person has said are not theirs. */
  rejected: string[]
}

export interface Ticket {
  person: RememberedPerson
  endsAt: Date
  /** When the search that gave it began. */
  searchedAt: Date
}

type TicketAlbum = Pick<Album, 'id' | 'password_version'>

/** The first byte of a ticket. Another form of its content needs another number. */
export const TICKET_VERSION = 1

/** A person as text for JSON. */
export interface PersonText {
  /** In base64. */
  templates: Partial<Record<EngineName, string>>
  confirmed: string[]
  rejected: string[]
}

/** The content of a ticket. */
interface Sealed extends PersonText {
  /** Ms since 1970. */
  endsAt: number
  /** Ms since 1970. */
  searchedAt: number
}

export function textOfPerson({ templates, confirmed, rejected }: RememberedPerson): PersonText {
  const texts = Object.entries(templates).map(([engine, bytes]) => [engine, bytes.toString('base64')])
  return { templates: Object.fromEntries(texts), confirmed, rejected }
}

export function personOfText({ templates, confirmed, rejected }: PersonText): RememberedPerson {
  const bytes = Object.entries(templates).map(([engine, text]) => [engine, Buffer.from(text, 'base64')])
  return { templates: Object.fromEntries(bytes), confirmed, rejected }
}

/** When a ticket that is made now ends.
 *  @param now ms since 1970 */
export function ticketEnd(now = Date.now()): Date {
  return new Date(now + TICKET_DAYS * 86_400_000)
}

/** A text for the person's browser to keep: nothing of it is stored here. Only this service can read it, and only for
 *  this album and its current password. It gives no right to the album. */
export function sealTicket(
  keyring: Keyring,
  album: TicketAlbum,
  { person, endsAt, searchedAt }: Ticket,
): string {
  const sealed: Sealed = {
    endsAt: endsAt.getTime(),
    searchedAt: searchedAt.getTime(),
    ...textOfPerson(person),
  }
  const cipher = keyring.encrypt('ticket', JSON.stringify(sealed), contextOf(album))
  return Buffer.concat([Buffer.of(TICKET_VERSION), cipher]).toString('base64url')
}

/** @param ticket an untrusted text
 *  @param now ms since 1970
 *  @throws AppError FORBIDDEN when it is forged, has ended, is for another album or a former password, or was sealed with a
 *  key that is no longer in use */
export function openTicket(keyring: Keyring, album: TicketAlbum, ticket: string, now = Date.now()): Ticket {
  const { endsAt, searchedAt, ...person } = unseal(keyring, album, ticket)
  if (now >= endsAt) throw ticketRefused()
  return {
    person: personOfText(person),
    endsAt: new Date(endsAt),
    searchedAt: new Date(searchedAt),
  }
}

function unseal(keyring: Keyring, album: TicketAlbum, ticket: string): Sealed {
  const bytes = Buffer.from(ticket, 'base64url')
  if (bytes[0] !== TICKET_VERSION) throw ticketRefused()
  try {
    return JSON.parse(keyring.decrypt('ticket', bytes.subarray(1), contextOf(album)))
  } catch {
    // The fault says nothing that helps, and what it is about must not get into a log.
    throw ticketRefused()
  }
}

/** What a ticket is bound to. */
function contextOf({ id, password_version }: TicketAlbum): string {
  return `${TICKET_VERSION} ${id} ${password_version}`
}

interface Answers {
  confirmed: string[]
  rejected: string[]
}

/** What a person has said about faces, with the later answer to each, at most ANSWERED_MAX_FACES of each kind. */
export function mergeAnswers(former: Answers, later: Answers): Answers {
  const isAnsweredAgain = new Set([...later.confirmed, ...later.rejected])
  const kept = (ids: string[]) => ids.filter((id) => !isAnsweredAgain.has(id))
  return {
    confirmed: [...later.confirmed, ...kept(former.confirmed)].slice(0, ANSWERED_MAX_FACES),
    rejected: [...later.rejected, ...kept(former.rejected)].slice(0, ANSWERED_MAX_FACES),
  }
}
