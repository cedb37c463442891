import type { Readable } from 'node:stream'
import type { AppContext } from '../context.ts'
import { ZIP_CONTINUES_MS } from '../contract/limits.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { expiredLink, requireValid } from '../photos/links.ts'
import { pictureName } from '../photos/picture-name.ts'
import { fullMediaType } from '../photos/picture-types.ts'
import { type LinkedPhoto, linkedPhotos } from '../photos/queries.ts'
import { type Asker, findRendition } from '../photos/renditions.ts'
import { hasResults } from './queries.ts'
import { type ZipPart, zipFilename } from './zip-address.ts'
import { numbered } from './zip-names.ts'
import { type ZipEntry, zipBytes, zipStream } from './zip-stream.ts'

/** Letters of `2025-08-19T14:03:22`. An offset from UTC may follow. */
const CLOCK_LENGTH = 19

export interface FoundZip {
  albumId: string
  filename: string
  /** Bytes. */
  size: number
  /** Zips with the same one have the same bytes. Only who has asked for one in time knows it. */
  etag: string
  /** Its bytes. Before each photo it looks again whether the photo may still be sent. When it fails, the connection must
   *  end early, so that the zip does not look whole. */
  open(asker: Asker): AsyncGenerator<Buffer>
}

/** The zip of an address, as the photos' rows describe it.
 *  @param begun the etag that the caller has from the beginning of this download
 *  @throws AppError NOT_FOUND when one of its photos has been removed or its results have been deleted, FORBIDDEN when the
 *  password has changed, the album is not open, or the address has ended */
export async function findZip(
  deps: Pick<AppContext, 'db' | 'decoders' | 'freeDisk' | 'keyring' | 'storage'>,
  part: ZipPart,
  begun?: string,
  now = Date.now(),
): Promise<FoundZip> {
  const { db, keyring } = deps
  const hasEnded = now >= part.expires * 1000
  if (hasEnded && (!begun || now >= part.expires * 1000 + ZIP_CONTINUES_MS)) throw expiredLink()
  // Who has begun goes on, as with an address that has ended.
  const isOver = hasEnded || (part.submissionId !== undefined && !(await hasResults(db, part.submissionId)))
  if (isOver && !begun) throw zipEnded()
  const ids = part.photos.map(({ id }) => id)
  const rows = new Map((await photosToZip(db, ids)).map((row) => [row.id, row]))
  const photos = ids.flatMap((id) => rows.get(id) ?? [])
  for (const photo of photos) requireValid(part, photo)
  if (photos.length < ids.length) throw zipEnded()
  const entries = photos.map((photo, index) => entryOf(photo, part.photos[index]!.number))
  const etag = `"${keyring.sign('zip', 'contents ', JSON.stringify([ids, entries])).toString('base64url')}"`
  if (isOver && begun !== etag) throw hasEnded ? expiredLink() : zipEnded()

  async function open(photo: LinkedPhoto, asker: Asker): Promise<Readable> {
    const [still] = await photosToZip(db, [photo.id])
    if (!still) throw zipEnded()
    requireValid(part, still)
    const { key } = await findRendition(deps, photo, 'download', asker)
    const { stream, size } = await deps.storage.open(key)
    if (size === photo.full_bytes) return stream
    stream.destroy()
    throw zipEnded()
  }
  return {
    albumId: photos[0]!.album_id,
    filename: zipFilename(photos[0]!.slug, part),
    size: zipBytes(entries),
    etag,
    open: (asker) => zipStream(entries, (index) => open(photos[index]!, asker)),
  }
}

/** Which of these photos can be in a zip: those that exist and are not hidden. */
export async function photosToZip(db: Db, photoIds: string[]): Promise<LinkedPhoto[]> {
  return (await linkedPhotos(db, photoIds)).filter(({ state }) => state !== 'hidden')
}

/** A photo as a file of a zip. It follows from the photo's row alone, so that a zip is the same each time. */
export function entryOf(photo: LinkedPhoto, number: number): ZipEntry {
  return { name: numbered(nameOf(photo), number), size: photo.full_bytes, ...timesOf(photo) }
}

function timesOf({ taken_at, created_at }: LinkedPhoto): Pick<ZipEntry, 'clock' | 'instant'> {
  const clock = (taken_at ?? created_at.toISOString()).slice(0, CLOCK_LENGTH)
  const isKnown = taken_at === null || taken_at.length > CLOCK_LENGTH
  return { clock, instant: isKnown ? new Date(taken_at ?? created_at) : undefined }
}

export const nameOf = (photo: LinkedPhoto) => pictureName(photo.filename, fullMediaType(photo))

export const zipEnded = () =>
  new AppError('NOT_FOUND', 'This download has ended. Open your photos and start it again.')
