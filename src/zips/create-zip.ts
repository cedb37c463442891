import { ZIP_AFTER_RESULTS_MS, ZIP_PART_MAX_PHOTOS } from '../contract/limits.ts'
import type { ZipInput, ZipOutput } from '../contract/zips.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import type { Decoders } from '../photos/decoders.ts'
import {
  forgedLink,
  isPhotoSize,
  type PhotoLink,
  type PhotoLinks,
  passwordHasChanged,
} from '../photos/links.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import type { FreeDisk } from '../storage/free-disk.ts'
import { type DownloadFacts, prepareDownloads } from './download-facts.ts'
import { numbersOf } from './same-names.ts'
import { type ZipPart, zipFilename, zipToken } from './zip-address.ts'
import { nameOf, zipEntry } from './zip-entry.ts'
import { EMPTY_ZIP_BYTES, zippedBytes } from './zip-format.ts'
import { hasResults, type PhotoToZip, photosToZip } from './zip-queries.ts'

interface Deps {
  db: Db
  storage: FileStorage
  freeDisk: FreeDisk
  decoders: Decoders
  links: PhotoLinks
  keyring: Keyring
}

/** How long a call waits for the photos. Proxies end a call after a minute. */
const WAIT_MS = 20_000

/** Who makes the call. */
interface Caller {
  /** Where addresses begin, without a slash at its end. */
  origin: string
  /** The network address. */
  network: string
  hungUp: AbortSignal
}

/** Prepares photos as zips. The addresses of the photos give the right to them, and the zips' addresses end with the first
 *  of these, or with a submission's results. While some photos are not ready the answer has no parts, and another call continues.
 *  @throws AppError FORBIDDEN for an address that is forged or has ended, NOT_FOUND when there is none of the photos */
export async function createZip(
  deps: Deps,
  { photos: addresses, partBytes, submissionId }: ZipInput,
  { origin, network, hungUp }: Caller,
  waitMs = WAIT_MS,
): Promise<ZipOutput> {
  const wanted = new Map(addresses.map((address) => photoAt(deps.links, address)))
  const photos = await photosToZip(deps.db, [...wanted.keys()])
  if (photos.some(({ id, password_version }) => wanted.get(id)!.passwordVersion !== password_version))
    throw passwordHasChanged()

  const until = AbortSignal.any([hungUp, AbortSignal.timeout(waitMs)])
  const { ready, unavailable } = await prepareDownloads(deps, photos, { network, until })
  const available = photos.filter(({ id }) => !unavailable.has(id))
  if (available.length === 0) throw photosRemoved()
  const counts = {
    photosReady: ready.size,
    photosTotal: available.length,
    photosLeftOut: wanted.size - available.length,
  }
  if (ready.size < available.length) return { ...counts, parts: [] }
  const linksEnd = Math.min(...[...wanted.values()].map((link) => link.expires))
  const ends = await endOf(deps.db, linksEnd, submissionId)
  const albums = Map.groupBy(available, ({ album_id }) => album_id)
  const parts = [...albums.values()].flatMap((ofAlbum) => partsOf(ofAlbum, ready, partBytes, ends))
  return {
    ...counts,
    parts: parts.map(({ part, slug, bytes }) => ({
      url: `${origin}/zips/${zipToken(deps.keyring, part)}`,
      filename: zipFilename(slug, part),
      bytes,
      photos: part.photos.length,
    })),
  }
}

type ZipEnd = Pick<ZipPart, 'expires' | 'submissionId'>

/** When the addresses of a zip end.
 *  @param linksEnd when those of its photos do, in seconds since 1970 */
async function endOf(db: Db, linksEnd: number, submissionId: string | undefined): Promise<ZipEnd> {
  if (submissionId === undefined) return { expires: linksEnd }
  if (await hasResults(db, submissionId)) return { expires: linksEnd, submissionId }
  return { expires: Math.min(linksEnd, Math.floor((Date.now() + ZIP_AFTER_RESULTS_MS) / 1000)) }
}

export const photosRemoved = () => new AppError('NOT_FOUND', 'These photos have been removed')

/** The photo of an address, and what the address was made for. */
function photoAt(links: PhotoLinks, address: string): [photoId: string, link: PhotoLink] {
  const url = URL.parse(address, 'http://any')
  const [, photoId, size] = url?.pathname.match(/^\/photos\/([\da-f-]{36})\/(\w+)$/) ?? []
  if (!url || !photoId || !size || !isPhotoSize(size)) throw forgedLink()
  return [photoId, links.verify(photoId, size, Object.fromEntries(url.searchParams))]
}

/** The parts of a zip of one album's photos, each at most `partBytes`. A photo that is larger has a part of its own. The
 *  same photos are always in the same parts, whatever order they were asked for in. */
function partsOf(
  unordered: PhotoToZip[],
  facts: Map<string, DownloadFacts>,
  partBytes: number,
  ends: ZipEnd,
): { part: ZipPart; slug: string; bytes: number }[] {
  const photos = unordered.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const numbers = numbersOf(photos.map(nameOf))
  const groups: { photos: ZipPart['photos']; bytes: number }[] = []
  for (const [index, photo] of photos.entries()) {
    const { id } = photo
    const number = numbers[index]!
    const added = zippedBytes(zipEntry(photo, facts.get(id)!, number))
    const last = groups.at(-1)
    if (last && last.bytes + added <= partBytes && last.photos.length < ZIP_PART_MAX_PHOTOS) {
      last.photos.push({ id, number })
      last.bytes += added
    } else groups.push({ photos: [{ id, number }], bytes: EMPTY_ZIP_BYTES + added })
  }
  const { slug, password_version: passwordVersion } = photos[0]!
  return groups.map((group, index) => ({
    slug,
    bytes: group.bytes,
    part: { photos: group.photos, passwordVersion, ...ends, place: index + 1, of: groups.length },
  }))
}
