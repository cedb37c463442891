import type { Keyring } from '../keyring.ts'

/** Addresses of letters are stored in keyed hashes only, apart from the album's own row. */

/** Hashes of an address, one for each key of SECRET_KEY: the first is the one to store, and all are to be looked for. */
export type AddressHashes = [newest: Buffer, ...former: Buffer[]]

/** The hashes under which an address is remembered that its mail server refuses. */
export function addressHashes(keyring: Keyring, address: string): AddressHashes {
  return keyring.macs('address-hash', `letter ${address.toLowerCase()}`) as AddressHashes
}

/** The hashes under which an address is remembered for one album: as that of a guest who wants letters about new photos, or
 *  of somebody who does not want them. */
export function guestAddressHashes(keyring: Keyring, albumId: string, address: string): AddressHashes {
  return keyring.macs('address-hash', `guest ${albumId} ${address.toLowerCase()}`) as AddressHashes
}

/** The same for the letters to an album's owner. They are others, so that no guest learns from a refusal that an owner's
 *  address has ended its letters. */
export function ownerAddressHashes(keyring: Keyring, albumId: string, address: string): AddressHashes {
  return keyring.macs('address-hash', `owner ${albumId} ${address.toLowerCase()}`) as AddressHashes
}

/** The hash under which those are counted who ask for letters.
 *  @param network the caller's: see `callerNetwork` */
export function hashAsker(keyring: Keyring, network: string): Buffer {
  return keyring.mac('address-hash', `asker ${network}`)
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
