import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../keyring.ts'

/** No look-alikes (0 o, 1 i l) and no vowels, so that no word appears by chance. */
const ALPHABET = '23456789bcdfghjkmnpqrstvwxyz'
const GROUPS = 3
const GROUP_LENGTH = 4

/** A new album password such as `k7wd-3mzt-x9rb`: 12 characters of 28, log2(28^12) = 57.7 bits. */
export function makePassword(): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** Encrypted, not hashed, because the album page and the letter show it to the owner. */
export function encryptPassword(keyring: Keyring, password: string, slug: string): Buffer {
  return keyring.encrypt('album-password', password, slug)
}

export function decryptPassword(keyring: Keyring, album: { password_cipher: Buffer; slug: string }): string {
  return keyring.decrypt('album-password', album.password_cipher, album.slug)
}

/** Compares in constant time. Ignores case, spaces and dashes, because people read passwords aloud and retype them. */
export function passwordMatches(given: string, actual: string): boolean {
  const digest = (text: string) => createHash('sha256').update(withoutSpacing(text)).digest()
  return timingSafeEqual(digest(given), digest(actual))
}

/** A password or code without what people change when they retype it. */
export function withoutSpacing(text: string): string {
  return text.toLowerCase().replace(/[\s-]/g, '')
}
