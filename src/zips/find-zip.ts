import { ZIP_CONTINUES_MS } from '../contract/limits.ts'
import type { Db } from '../database/client.ts'
import type { Keyring } from '../keyring.ts'
import { expiredLink, passwordHasChanged } from '../photos/links.ts'
import { knownFacts } from './download-facts.ts'
import { type OpenZip, zipEnded } from './read-zip.ts'
import { type ZipPart, zipFilename } from './zip-address.ts'
import { zipEntry } from './zip-entry.ts'
import { sizeOfZip } from './zip-format.ts'
import { hasResults, photosToZip } from './zip-queries.ts'

interface Deps {
  db: Db
  keyring: Keyring
}

export interface FoundZip extends OpenZip {
  filename: string
  /** Bytes. */
  size: number
  /** Zips with the same one have the same bytes. Only who has asked for one in time knows it. */
  etag: string
}

/** The zip of an address, as the photos' rows describe it.
 *  @param begun the etag that the caller has from the beginning of this download
 *  @throws AppError NOT_FOUND when one of its photos has been removed or its results have been deleted, FORBIDDEN when the
 *  password has changed or the address has ended */
export async function findZip(
  { db, keyring }: Deps,
  part: ZipPart,
  begun?: string,
  now = Date.now(),
): Promise<FoundZip> {
  const hasEnded = now >= part.expires * 1000
  if (hasEnded && (!begun || now >= part.expires * 1000 + ZIP_CONTINUES_MS)) throw expiredLink()
  // Who has begun goes on, as with an address that has ended.
  const isOver = hasEnded || (part.submissionId !== undefined && !(await hasResults(db, part.submissionId)))
  if (isOver && !begun) throw zipEnded()
  const rows = await photosToZip(
    db,
    part.photos.map(({ id }) => id),
  )
  if (rows.some(({ password_version }) => password_version !== part.passwordVersion))
    throw passwordHasChanged()
  const found = new Map(rows.map((row) => [row.id, row]))
  const entries = part.photos.map(({ id, number }) => {
    const photo = found.get(id)
    const facts = photo && knownFacts(photo)
    if (!facts) throw zipEnded()
    return { ...zipEntry(photo, facts, number), photoId: id, sha256: photo.sha256 }
  })
  const contents = entries.map(({ name, size, crc32, takenAt }) => [name, size, crc32, takenAt])
  const etag = `"${keyring.sign('zip', 'contents ', JSON.stringify(contents)).toString('base64url')}"`
  if (isOver && begun !== etag) throw hasEnded ? expiredLink() : zipEnded()
  const { album_id: albumId, slug, password_version: passwordVersion } = rows[0]!
  return {
    albumId,
    passwordVersion,
    entries,
    filename: zipFilename(slug, part),
    size: sizeOfZip(entries),
    etag,
  }
}
