import type { Keyring } from '../keyring.ts'

/** @param id of the change that it belongs to */
export function sealAddress(keyring: Keyring, id: string, email: string): Buffer {
  return keyring.encrypt('letter-address', email, id)
}

/** @returns undefined when it was sealed with a key that is no longer in use */
export function openAddress(keyring: Keyring, id: string, sealed: Buffer): string | undefined {
  try {
    return keyring.decrypt('letter-address', sealed, id)
  } catch {
    // The fault says nothing that helps.
    return undefined
  }
}
