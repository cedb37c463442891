import type { AuditRow } from './queries.ts'

/** Hexadecimal digits that are shown of a hash. They are enough to see that two events have the same caller. */
const HASH_DIGITS = 8

/** An event in one line, such as
 *  `2026-06-20T18:04:11.000Z  password changed  album party  by owner, session 5f0c21aa, address 9e34b1d0`. An erasure
 *  ends with what it has left. */
export function auditLine({ at, event, album_id, slug, ...row }: AuditRow): string {
  const who = [
    row.role === 'command line' ? 'on the command line' : `by ${row.role}`,
    ...hashed('session', row.session_hash),
    ...hashed('address', row.address_hash),
  ]
  const album = album_id === null ? [] : [slug === null ? `erased album ${album_id}` : `album ${slug}`]
  const receipt = event === 'album erased' ? receiptOf(row) : []
  return [at.toISOString(), event, ...album, who.join(', '), ...receipt].join('  ')
}

/** Nothing for an album that an old version of Inframe has erased. */
function receiptOf({
  finished_at: finished,
  rows_remaining: rows,
  files_remaining: files,
  faces_remaining: faces,
}: Omit<AuditRow, 'at' | 'event' | 'album_id' | 'slug'>): string[] {
  if (finished) return [`nothing remains since ${finished.toISOString()}`]
  return rows === null ? [] : [`still to be deleted: ${rows} rows, ${files} files, ${faces} faces`]
}

const hashed = (kind: string, hash: Buffer | null) =>
  hash ? [`${kind} ${hash.toString('hex').slice(0, HASH_DIGITS)}`] : []
