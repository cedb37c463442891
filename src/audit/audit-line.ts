import type { AuditRow } from './queries.ts'

/** Hexadecimal digits that are shown of a hash. They are enough to see that two events have the same caller. */
const HASH_DIGITS = 8

/** An event in one line, such as
 *  `2026-06-20T18:04:11.000Z  password changed  album party  by owner, session 5f0c21aa, address 9e34b1d0`. */
export function auditLine({ at, event, album_id, slug, ...row }: AuditRow): string {
  const who = [
    row.role === 'command line' ? 'on the command line' : `by ${row.role}`,
    ...hashed('session', row.session_hash),
    ...hashed('address', row.address_hash),
  ]
  const album = album_id === null ? [] : [slug === null ? `erased album ${album_id}` : `album ${slug}`]
  return [at.toISOString(), event, ...album, who.join(', ')].join('  ')
}

const hashed = (kind: string, hash: Buffer | null) =>
  hash ? [`${kind} ${hash.toString('hex').slice(0, HASH_DIGITS)}`] : []
