import { z } from 'zod'
import type { Keyring } from '../keyring.ts'
import { personOfText, type RememberedPerson, textOfPerson } from '../search/search-token.ts'

/** Who gets a letter about new photos, and what finds them. It is biometric data. */
export interface AlertedGuest {
  address: string
  person: RememberedPerson
}

const sealed = z.object({ address: z.string(), person: personOfText })

/** @param id of the alert */
export function sealGuest(keyring: Keyring, id: string, { address, person }: AlertedGuest): Buffer {
  const text: z.input<typeof sealed> = { address, person: textOfPerson(person) }
  return keyring.encrypt('photo-alert', JSON.stringify(text), id)
}

/** @returns undefined when it was sealed with a key that is no longer in use */
export function openGuest(keyring: Keyring, alert: { id: string; sealed: Buffer }): AlertedGuest | undefined {
  try {
    return sealed.parse(JSON.parse(keyring.decrypt('photo-alert', alert.sealed, alert.id)))
  } catch {
    // The fault says nothing that helps, and what it is about must not get into a log.
    return undefined
  }
}
