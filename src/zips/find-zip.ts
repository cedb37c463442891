import type { Db } from '../database/client.ts'
import { passwordHasChanged } from '../photos/links.ts'
import { storedHashes } from '../photos/queries.ts'
import { type OpenZip, zipEnded } from './read-zip.ts'
import { hashOfToken, openPart } from './sealed-part.ts'
import { layOutZip } from './zip-format.ts'
import { findZipPart } from './zip-queries.ts'

/** The zip of an address. It has the same bytes each time.
 *  @param token an untrusted text
 *  @throws AppError NOT_FOUND when it has ended or one of its photos has been removed, FORBIDDEN when the password has
 *  changed */
export async function findZip(db: Db, token: string): Promise<OpenZip & { filename: string; etag: string }> {
  const tokenHash = hashOfToken(token)
  const row = tokenHash && (await findZipPart(db, tokenHash))
  if (!row) throw zipEnded()
  if (row.password_version !== row.current_version) throw passwordHasChanged()
  const { filename, entries } = openPart(token, row.sealed)
  const hashes = entries.map(({ sha256 }) => Buffer.from(sha256, 'base64url'))
  if ((await storedHashes(db, row.album_id, hashes)).size < entries.length) throw zipEnded()
  return {
    albumId: row.album_id,
    passwordVersion: row.password_version,
    entries,
    layout: layOutZip(entries),
    filename,
    etag: `"${tokenHash.toString('base64url').slice(0, 22)}"`,
  }
}
