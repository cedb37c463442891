import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { withOwnedAlbum } from './access.ts'
import { changeAlbum } from './queries.ts'

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

/** A password or code as `makePassword` makes them, in a longer text: three groups of four from its alphabet. */
const IN_A_TEXT =
  /(?<![\p{L}\p{N}])([2-9bcdfghjkmnp-tv-z]{4})[^\p{L}\p{N}]{0,3}([2-9bcdfghjkmnp-tv-z]{4})[^\p{L}\p{N}]{0,3}([2-9bcdfghjkmnp-tv-z]{4})(?![\p{L}\p{N}])/gu

/** Compares in constant time what both mean: see `plainCode`. */
export function passwordMatches(given: string, actual: string): boolean {
  const digest = (text: string) => createHash('sha256').update(plainCode(text)).digest()
  return timingSafeEqual(digest(given), digest(actual))
}

/** A password or code without what people and phones change when they retype or paste it: only letters and digits count,
 *  in lower case and ordinary width. In a pasted message, what stands around the only password does not count. */
export function plainCode(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase()
  const found = [...plain.matchAll(IN_A_TEXT)]
  const meant = found.length === 1 ? found[0]!.slice(1).join('') : plain
  return meant.replace(/[^\p{L}\p{N}]/gu, '')
}

/** Gives an album a new password, and returns it. Guests' sessions, photo links and results end at once. */
export async function changePassword(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  album: Pick<Album, 'id' | 'slug' | 'owner_key_version'>,
  by: Actor,
): Promise<string> {
  const password = makePassword()
  await withOwnedAlbum(db, album, async (trx, locked) => {
    await changeAlbum(trx, album.id, {
      password_cipher: encryptPassword(keyring, password, album.slug),
      password_version: locked.password_version + 1,
    })
    await recordEvent({ db: trx, keyring }, { event: 'password changed', album, by })
  })
  return password
}
