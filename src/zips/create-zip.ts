import { ZIP_LIFETIME_MS } from '../contract/limits.ts'
import type { ZipInput, ZipOutput } from '../contract/zips.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { Decoders } from '../photos/decoders.ts'
import { forgedLink, isPhotoSize, type PhotoLinks, passwordHasChanged } from '../photos/links.ts'
import { pictureName } from '../photos/picture-name.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { type DownloadFacts, prepareDownloads } from './download-facts.ts'
import { sealPart, type ZipPart } from './sealed-part.ts'
import { uniqueNames } from './unique-names.ts'
import { EMPTY_ZIP_BYTES, zippedBytes } from './zip-format.ts'
import { insertZipParts, type PhotoToZip, photosToZip } from './zip-queries.ts'

interface Deps {
  db: Db
  storage: FileStorage
  decoders: Decoders
  links: PhotoLinks
}

/** How long a call waits for the photos. Proxies end a call after a minute. */
const WAIT_MS = 20_000

/** Prepares photos as zips. The addresses of the photos give the right to them. While some photos are not ready the answer
 *  has no parts, and another call continues.
 *  @param origin where addresses begin, without a slash at its end
 *  @param countAlbums runs once it is known which albums the photos are of, and may refuse the call
 *  @throws AppError FORBIDDEN for an address that is forged or has ended, NOT_FOUND when there is none of the photos */
export async function createZip(
  deps: Deps,
  { photos: addresses, partBytes }: ZipInput,
  { origin, countAlbums }: { origin: string; countAlbums: (albumIds: string[]) => Promise<void> },
  waitMs = WAIT_MS,
): Promise<ZipOutput> {
  const wanted = new Map(addresses.map((address) => photoAt(deps.links, address)))
  const found = new Map((await photosToZip(deps.db, [...wanted.keys()])).map((photo) => [photo.id, photo]))
  const photos = [...wanted.keys()].flatMap((id) => found.get(id) ?? [])
  if (photos.some(({ id, password_version }) => wanted.get(id) !== password_version))
    throw passwordHasChanged()
  await countAlbums([...new Set(photos.map(({ album_id }) => album_id))])

  const { ready, unavailable } = await prepareDownloads(deps, photos, AbortSignal.timeout(waitMs))
  const available = photos.filter(({ id }) => !unavailable.has(id))
  if (available.length === 0) throw photosRemoved()
  const counts = {
    photosReady: ready.size,
    photosTotal: available.length,
    photosLeftOut: wanted.size - available.length,
  }
  if (ready.size < available.length) return { ...counts, parts: [] }
  return { ...counts, parts: await storeParts(deps.db, available, ready, partBytes, origin) }
}

export const photosRemoved = () => new AppError('NOT_FOUND', 'These photos have been removed')

/** The photo of an address, and the password version that the address was made for. */
function photoAt(links: PhotoLinks, address: string): [photoId: string, passwordVersion: number] {
  const url = URL.parse(address, 'http://any')
  const [, photoId, size] = url?.pathname.match(/^\/photos\/([\da-f-]{36})\/(\w+)$/) ?? []
  if (!url || !photoId || !size || !isPhotoSize(size)) throw forgedLink()
  const { passwordVersion } = links.verify(photoId, size, Object.fromEntries(url.searchParams))
  return [photoId, passwordVersion]
}

async function storeParts(
  db: Db,
  photos: PhotoToZip[],
  facts: Map<string, DownloadFacts>,
  partBytes: number,
  origin: string,
): Promise<ZipOutput['parts']> {
  const albums = Map.groupBy(photos, ({ album_id }) => album_id)
  const parts = [...albums.values()].flatMap((ofAlbum) => partsOf(ofAlbum, facts, partBytes))
  const sealed = parts.map(({ part }) => sealPart(part))
  await insertZipParts(
    db,
    parts.map(({ album }, index) => ({
      album_id: album.album_id,
      password_version: album.password_version,
      token_hash: sealed[index]!.tokenHash,
      sealed: sealed[index]!.sealed,
    })),
    ZIP_LIFETIME_MS / 1000,
  )
  return parts.map(({ part: { filename, entries }, bytes }, index) => ({
    url: `${origin}/zips/${sealed[index]!.token}`,
    filename,
    bytes,
    photos: entries.length,
  }))
}

/** The parts of a zip of one album's photos, each at most `partBytes`. A photo that is larger has a part of its own. */
function partsOf(photos: PhotoToZip[], facts: Map<string, DownloadFacts>, partBytes: number) {
  const names = uniqueNames(photos.map(({ filename, media_type }) => pictureName(filename, media_type)))
  const groups: { entries: ZipPart['entries']; bytes: number }[] = []
  for (const [index, { id, sha256, taken_at, created_at }] of photos.entries()) {
    const entry = {
      name: names[index]!,
      takenAt: taken_at ?? created_at.toISOString().slice(0, 19),
      sha256: sha256.toString('base64url'),
      ...facts.get(id)!,
    }
    const added = zippedBytes(entry)
    const last = groups.at(-1)
    if (last && last.bytes + added <= partBytes) {
      last.entries.push(entry)
      last.bytes += added
    } else groups.push({ entries: [entry], bytes: EMPTY_ZIP_BYTES + added })
  }
  const [album] = photos as [PhotoToZip]
  return groups.map(({ entries, bytes }, index) => {
    const number = groups.length > 1 ? `-${index + 1}-of-${groups.length}` : ''
    return { album, bytes, part: { filename: `${album.slug}${number}.zip`, entries } }
  })
}
