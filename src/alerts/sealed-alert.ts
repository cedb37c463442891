import type { Keyring } from '../keyring.ts'
import {
  type PersonText,
  personOfText,
  type RememberedPerson,
  TICKET_VERSION,
  textOfPerson,
} from '../search/tickets.ts'

/** Who gets a letter about new photos, and what finds them. It is biometric data. */
export interface AlertedGuest {
  address: string
  person: RememberedPerson
}

interface Sealed {
  address: string
  person: PersonText
}

/** @param id of the alert */
export function sealGuest(keyring: Keyring, id: string, { address, person }: AlertedGuest): Buffer {
  const sealed: Sealed = { address, person: textOfPerson(person) }
  return keyring.encrypt('photo-alert', JSON.stringify(sealed), contextOf(id))
}

/** @returns undefined when it was sealed with a key that is no longer in use, or by a version of Inframe whose tickets are
 *  no longer valid */
export function openGuest(
  keyring: Keyring,
  { id, sealed }: { id: string; sealed: Buffer },
): AlertedGuest | undefined {
  try {
    const { address, person }: Sealed = JSON.parse(keyring.decrypt('photo-alert', sealed, contextOf(id)))
    return { address, person: personOfText(person) }
  } catch {
    // The fault says nothing that helps, and what it is about must not get into a log.
    return undefined
  }
}

const contextOf = (id: string) => `${TICKET_VERSION} ${id}`
