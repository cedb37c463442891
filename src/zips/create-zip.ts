import type { AppContext } from '../context.ts'
import { ZIP_AFTER_RESULTS_MS, ZIP_PART_MAX_PHOTOS } from '../contract/limits.ts'
import type { ZipInput, ZipOutput } from '../contract/zips.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { forgedLink, type PhotoLink, type PhotoLinks, requireValid } from '../photos/links.ts'
import type { LinkedPhoto } from '../photos/queries.ts'
import { type Asker, findRendition } from '../photos/renditions.ts'
import { entryOf, nameOf, photosToZip } from './find-zip.ts'
import { hasResults } from './queries.ts'
import { type ZipPart, zipFilename, zipToken } from './zip-address.ts'
import { numbersOf } from './zip-names.ts'
import { entryBytes, zipBytes } from './zip-stream.ts'

/** How long a call waits for the photos. Proxies end a call after a minute. */
const WAIT_MS = 20_000
/** Photos that one call prepares at once. */
const AT_ONCE = 2

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
  deps: Pick<AppContext, 'db' | 'decoders' | 'freeDisk' | 'keyring' | 'links' | 'storage'>,
  { photos: addresses, partBytes, submissionId }: ZipInput,
  { origin, network, hungUp }: Caller,
  waitMs = WAIT_MS,
): Promise<ZipOutput> {
  const wanted = new Map(addresses.map((address) => photoAt(deps.links, address)))
  const found = await photosToZip(deps.db, [...wanted.keys()])
  for (const photo of found) requireValid(wanted.get(photo.id)!, photo)

  const signal = AbortSignal.any([hungUp, AbortSignal.timeout(waitMs)])
  const available = await withFiles(deps, found, { network, signal })
  if (available.length === 0) throw photosRemoved()
  const counts = {
    photosReady: available.filter(hasFile).length,
    photosTotal: available.length,
    photosLeftOut: wanted.size - available.length,
  }
  if (counts.photosReady < available.length) return { ...counts, parts: [] }
  const linksEnd = Math.min(...[...wanted.values()].map((link) => link.expires))
  const ends = await endOf(deps.db, linksEnd, submissionId)
  const albums = Map.groupBy(available, ({ album_id }) => album_id)
  const isForOwner = ({ id, owner_key_version }: LinkedPhoto) =>
    wanted.get(id)!.ownerKeyVersion === owner_key_version
  const parts = [...albums.values()].flatMap((ofAlbum) => {
    const ownerKeyVersion = ofAlbum.every(isForOwner) ? ofAlbum[0]!.owner_key_version : 0
    return partsOf(ofAlbum, partBytes, { ...ends, ownerKeyVersion })
  })
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

const hasFile = (photo: LinkedPhoto) => photo.full_bytes > 0

/** Makes the files that do not exist yet, each within half a second, until the asker's signal. What was made is kept, so
 *  another call continues where this one has stopped.
 *  @returns the photos, without those that have been erased meanwhile or cannot be decoded
 *  @throws AppError SERVICE_UNAVAILABLE */
async function withFiles(
  deps: Pick<AppContext, 'db' | 'decoders' | 'freeDisk' | 'storage'>,
  photos: LinkedPhoto[],
  asker: Asker,
): Promise<LinkedPhoto[]> {
  const missing = photos.filter((photo) => !hasFile(photo))
  if (missing.length === 0) return photos
  const unavailable = new Set<string>()
  const next = missing.values()
  async function makeOthers(): Promise<void> {
    for (const photo of next) {
      if (asker.signal?.aborted) return
      try {
        await findRendition(deps, photo, 'download', asker)
      } catch (error) {
        if (asker.signal?.aborted) return
        if (!(error instanceof AppError) || error.code === 'SERVICE_UNAVAILABLE') throw error
        unavailable.add(photo.id)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, makeOthers))
  const ids = photos.filter(({ id }) => !unavailable.has(id)).map(({ id }) => id)
  return await photosToZip(deps.db, ids)
}

type ZipEnd = Pick<ZipPart, 'expires' | 'submissionId'>

/** When the addresses of a zip end.
 *  @param linksEnd when those of its photos do, in seconds since 1970 */
async function endOf(db: Db, linksEnd: number, submissionId: string | undefined): Promise<ZipEnd> {
  if (submissionId === undefined) return { expires: linksEnd }
  if (await hasResults(db, submissionId)) return { expires: linksEnd, submissionId }
  return { expires: Math.min(linksEnd, Math.floor((Date.now() + ZIP_AFTER_RESULTS_MS) / 1000)) }
}

const photosRemoved = () => new AppError('NOT_FOUND', 'These photos have been removed')

/** The photo of an address, and what the address was made for. */
function photoAt(links: PhotoLinks, address: string): [photoId: string, link: PhotoLink] {
  const url = URL.parse(address, 'http://any')
  const [, photoId] = url?.pathname.match(/^\/photos\/([\da-f-]{36})\/\w+$/) ?? []
  if (!url || !photoId) throw forgedLink()
  return [photoId, links.verify(photoId, Object.fromEntries(url.searchParams))]
}

/** The parts of a zip of one album's photos, each at most `partBytes`. A photo that is larger has a part of its own. The
 *  same photos are always in the same parts, whatever order they were asked for in. */
function partsOf(
  photos: LinkedPhoto[],
  partBytes: number,
  ends: ZipEnd & Pick<ZipPart, 'ownerKeyVersion'>,
): { part: ZipPart; slug: string; bytes: number }[] {
  const numbers = numbersOf(photos.map(nameOf))
  const groups: { photos: ZipPart['photos']; bytes: number }[] = []
  for (const [index, photo] of photos.entries()) {
    const number = numbers[index]!
    const added = entryBytes(entryOf(photo, number))
    const last = groups.at(-1)
    if (last && last.bytes + added <= partBytes && last.photos.length < ZIP_PART_MAX_PHOTOS) {
      last.photos.push({ id: photo.id, number })
      last.bytes += added
    } else groups.push({ photos: [{ id: photo.id, number }], bytes: zipBytes([]) + added })
  }
  const { slug, password_version: passwordVersion } = photos[0]!
  return groups.map((group, index) => ({
    slug,
    bytes: group.bytes,
    part: { photos: group.photos, passwordVersion, ...ends, place: index + 1, of: groups.length },
  }))
}
