import type { AppContext } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { AuditEvent, AuditRole } from '../database/schema.ts'
import { isUuid } from '../database/uuid.ts'
import { type AuditRow, findEvents, insertEvent } from './queries.ts'

/** Who made a change. On the command line there is neither a session nor an address. */
export interface Actor {
  role: AuditRole
  sessionId?: string | undefined
  address?: string | undefined
}

export const COMMAND_LINE: Actor = { role: 'command line' }

/** Writes an event into the audit log. An event that belongs to a change is written in the transaction of the change.
 *
 *  The log holds no personal data, so its rows may stay when an album is erased: sessions, network addresses and album
 *  names (which can contain names of people) are stored as keyed hashes only. A maintainer who asks for an album by its
 *  former name still finds it, and sees whether two events came from the same caller. */
export async function recordEvent(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  { event, album, by }: { event: AuditEvent; album?: { id: string; slug: string }; by: Actor },
): Promise<void> {
  const hash = (kind: string, text: string | undefined) =>
    text === undefined ? null : keyring.mac('audit-log', `${kind} ${text}`)
  await insertEvent(db, {
    event,
    album_id: album?.id ?? null,
    album_name_hash: hash('album', album?.slug),
    role: by.role,
    session_hash: hash('session', by.sessionId),
    address_hash: hash('address', by.address),
  })
}

/** The events of an album, the oldest first.
 *  @param nameOrId the slug or the id of an album, which may be erased. A name may belong to several albums: an erased
 *  one and a new one. */
export async function eventsOfAlbum(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  nameOrId: string,
): Promise<AuditRow[]> {
  return await findEvents(db, {
    id: isUuid(nameOrId) ? nameOrId : null,
    slug: nameOrId,
    // An older event has the hash under an older key.
    nameHashes: keyring.macs('audit-log', `album ${nameOrId}`),
  })
}

/** All events, the oldest first. */
export async function allEvents(db: Db): Promise<AuditRow[]> {
  return await findEvents(db)
}
