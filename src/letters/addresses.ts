import type { Keyring } from '../keyring.ts'

/** How addresses are kept: sealed in a letter that waits, and apart from that in keyed hashes only. */

/** @param id of the letter */
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

/** Hashes of an address, one for each key of SECRET_KEY: the first is the one to store, and all are to be looked for. */
export type AddressHashes = [newest: Buffer, ...former: Buffer[]]

/** The hashes under which an address is remembered that its mail server refuses. */
export const addressHashes = (keyring: Keyring, email: string) => hashesOf(keyring, 'letter', email)

/** The hashes of an address for one album: as that of a guest who wants letters about new photos, or of somebody who does
 *  not want them. */
export const guestAddressHashes = (keyring: Keyring, albumId: string, email: string) =>
  hashesOf(keyring, `guest ${albumId}`, email)

/** The same for the letters to an album's owner. They are others, so that no guest learns from a refusal that an owner's
 *  address has ended its letters. */
export const ownerAddressHashes = (keyring: Keyring, albumId: string, email: string) =>
  hashesOf(keyring, `owner ${albumId}`, email)

function hashesOf(keyring: Keyring, as: string, email: string): AddressHashes {
  return keyring.macs('address-hash', `${as} ${email.toLowerCase()}`) as AddressHashes
}

/** The hash under which those are counted who ask for letters.
 *  @param network the caller's: see `callerNetwork` */
export const hashAsker = (keyring: Keyring, network: string) =>
  keyring.mac('address-hash', `asker ${network}`)

/** The hash under which the letters to one mailbox are counted. */
export const hashMailbox = (keyring: Keyring, email: string) =>
  keyring.mac('address-hash', `mailbox ${mailboxOf(email)}`)

/** The same for all mailboxes of one mail server. */
export const hashDomain = (keyring: Keyring, email: string) =>
  keyring.mac('address-hash', `domain ${email.slice(email.lastIndexOf('@') + 1).toLowerCase()}`)

/** The mailbox behind an address, as far as it can be known: `me+1@example.com` and `me+2@example.com` are usually one
 *  person's (RFC 5233), and Gmail ignores dots. A provider for which they are two only counts them as one. */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1).toLowerCase()
  const name = address.slice(0, at).toLowerCase().split('+', 1)[0]!
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}
