import { randomInt } from 'node:crypto'
import anyAscii from 'any-ascii'
import type { Keyring } from '../keyring.ts'

const MAX_LENGTH = 60
const SUFFIX_LENGTH = 4
const SUFFIX_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** `/api/albums/auth-status/progress` could also mean the progress of an album called auth-status. */
const RESERVED = new Set(['progress'])

/** Text that is no slug names no album. Postgres even rejects some of it. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9-]+$/.test(text)
}

/** A name as a url-safe slug: transliterated, lower case, words joined by dashes.
 *  Empty when no part of the name can be written in Latin letters or digits. */
export function slugOf(name: string): string {
  return anyAscii(name)
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-|-$/g, '')
}

/** The slug to try at an attempt (counted from 0). The first has no suffix, later ones have a short random suffix. */
export function slugCandidate(name: string, attempt: number): string {
  const slug = slugOf(name) || 'album'
  if (attempt === 0 && !RESERVED.has(slug)) return slug
  const suffix = Array.from(
    { length: SUFFIX_LENGTH },
    () => SUFFIX_ALPHABET[randomInt(SUFFIX_ALPHABET.length)],
  ).join('')
  return `${slug}-${suffix}`
}

/** What stays of the name of an erased album: a keyed hash under each key of the ring, the newest first. */
export function hashesOfSlug(keyring: Keyring, slug: string): Buffer[] {
  return keyring.macs('erased-name', slug)
}
