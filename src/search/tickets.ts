import { ANSWERED_MAX_FACES, TICKET_DAYS } from '../contract/limits.ts'
import type { Album, EngineName } from '../database/schema.ts'
import { nothingRemembered } from '../faces/errors.ts'
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
}

type TicketAlbum = Pick<Album, 'id' | 'password_version'>

/** The first byte of a ticket. Another form of its content needs another number. */
const VERSION = 1

/** The content of a ticket. */
interface Sealed {
  /** Ms since 1970. */
  endsAt: number
  /** In base64. */
  templates: Partial<Record<EngineName, string>>
  confirmed: string[]
  rejected: string[]
}

/** When a ticket ends that is made now.
 *  @param now ms since 1970 */
export function ticketEnd(now = Date.now()): Date {
  return new Date(now + TICKET_DAYS * 86_400_000)
}

/** A text for the person's browser to keep: nothing of it is stored here. Only this service can read it, and only for this
 *  album and its present password. It gives no right to the album. */
export function sealTicket(keyring: Keyring, album: TicketAlbum, { person, endsAt }: Ticket): string {
  const templates = Object.entries(person.templates).map(([engine, bytes]) => [
    engine,
    bytes.toString('base64'),
  ])
  const sealed: Sealed = {
    endsAt: endsAt.getTime(),
    templates: Object.fromEntries(templates),
    confirmed: person.confirmed,
    rejected: person.rejected,
  }
  const cipher = keyring.encrypt('ticket', JSON.stringify(sealed), contextOf(album))
  return Buffer.concat([Buffer.of(VERSION), cipher]).toString('base64url')
}

/** @param ticket an untrusted text
 *  @param now ms since 1970
 *  @throws AppError FORBIDDEN when it is forged, has ended, is for another album or a former password, or was sealed with a
 *  key that is no longer in use */
export function openTicket(keyring: Keyring, album: TicketAlbum, ticket: string, now = Date.now()): Ticket {
  const { endsAt, templates, confirmed, rejected } = unseal(keyring, album, ticket)
  if (now >= endsAt) throw ticketRefused()
  const bytes = Object.entries(templates).map(([engine, text]) => [engine, Buffer.from(text, 'base64')])
  return {
    person: { templates: Object.fromEntries(bytes), confirmed, rejected },
    endsAt: new Date(endsAt),
  }
}

function unseal(keyring: Keyring, album: TicketAlbum, ticket: string): Sealed {
  const bytes = Buffer.from(ticket, 'base64url')
  if (bytes[0] !== VERSION) throw ticketRefused()
  try {
    return JSON.parse(keyring.decrypt('ticket', bytes.subarray(1), contextOf(album)))
  } catch {
    // The fault says nothing that helps, and what it is about must not get into a log.
    throw ticketRefused()
  }
}

/** What a ticket is bound to. */
function contextOf({ id, password_version }: TicketAlbum): string {
  return `${VERSION} ${id} ${password_version}`
}

export const ticketRefused = nothingRemembered

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
