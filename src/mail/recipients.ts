import type { Keyring } from '../keyring.ts'

/** Addresses of letters are stored in keyed hashes only, apart from the album's own row. */

/** The hash under which a refused address is remembered. */
export function hashAddress(keyring: Keyring, address: string): Buffer {
  return keyring.mac('address-hash', `letter ${address.toLowerCase()}`)
}

/** The hash under which an address is remembered for one album: as that of a guest who wants letters, or of somebody who
 *  does not want them. */
export function hashGuestAddress(keyring: Keyring, albumId: string, address: string): Buffer {
  return keyring.mac('address-hash', `guest ${albumId} ${address.toLowerCase()}`)
}

/** The hash under which the letters to one mailbox are counted. */
export function hashMailbox(keyring: Keyring, address: string): Buffer {
  return keyring.mac('address-hash', `mailbox ${mailboxOf(address)}`)
}

/** The mailbox behind an address, as far as it can be known: `me+1@example.com` and `me+2@example.com` are usually one
 *  person's (RFC 5233), and Gmail ignores dots. A provider for which they are two only counts them as one. */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1).toLowerCase()
  const name = address.slice(0, at).toLowerCase().split('+', 1)[0]!
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}
