import type { MatchedPhoto, SearchOutput } from '../contract/search.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { albumsInEngine } from '../faces/collection-queries.ts'
import type { FaceIndex, FaceMatch } from '../faces/face-index.ts'
import type { FormerFaces } from '../faces/former-faces.ts'
import { inParts } from '../in-parts.ts'
import type { Keyring } from '../keyring.ts'
import type { Caller, Decoders } from '../photos/decoders.ts'
import type { PhotoLinks } from '../photos/links.ts'
import { pictureName } from '../photos/picture-name.ts'
import { indexedPhotos } from '../photos/queries.ts'
import { addressesOf } from './addresses.ts'
import { type Found, foundPage, photosOnPage } from './found-pages.ts'
import { normaliseSelfie } from './selfie.ts'

export interface SearchDeps {
  db: Db
  faces: FaceIndex
  formerFaces: FormerFaces
  decoders: Decoders
  links: PhotoLinks
  keyring: Keyring
  /** Similarity (0–100) from which a face counts as the same person. */
  threshold: number
}

/** Lets the engine load an album whose guest will probably search it soon. Returns at once and never fails. */
export function prepareSearch({ faces }: Pick<SearchDeps, 'faces'>, album: Album): void {
  if (album.faces_found > 0) faces.prepare([album.id])
}

/** The photos of the album that show the person of the selfie, best match first. The selfie stays in memory.
 *  @param origin where addresses begin, without a slash at its end
 *  @param limit how many photos to give, and to put on each further page; undefined: all
 *  @throws AppError when the selfie is no readable image, or shows no face. */
export async function searchAlbum(
  deps: SearchDeps,
  album: Album,
  selfie: Buffer,
  origin: string,
  caller: Caller,
  limit?: number,
): Promise<SearchOutput> {
  const image = await normaliseSelfie(deps.decoders, selfie, caller)
  const similarities = await photosLike(deps, [album.id], image)
  const photos = await indexedPhotos(deps.db, album.id, [...similarities.keys()])
  const found = bestFirst(photos, similarities)
  const matched = await inParts(found.slice(0, limit), (photo) => matchedPhoto(deps, album, photo, origin))
  return {
    matchedPhotos: matched.map((photo) => photo.url),
    photos: matched,
    totalMatches: found.length,
    ...(limit && {
      nextPages: pagesOf(found.slice(limit), limit).map((page) => foundPage(deps.keyring, album.id, page)),
    }),
  }
}

/** The photos on a further page of a search, with fresh addresses. Those that have been erased meanwhile are missing.
 *  @param page one of the search's `nextPages`
 *  @throws AppError BAD_REQUEST when it is no page of this album */
export async function photosOfPage(
  deps: Pick<SearchDeps, 'db' | 'keyring' | 'links'>,
  album: Album,
  page: string,
  origin: string,
): Promise<MatchedPhoto[]> {
  const similarities = new Map(
    photosOnPage(deps.keyring, album.id, page).map(({ id, similarity }) => [id, similarity]),
  )
  const photos = await indexedPhotos(deps.db, album.id, [...similarities.keys()])
  return bestFirst(photos, similarities).map((photo) => matchedPhoto(deps, album, photo, origin))
}

type IndexedPhoto = Awaited<ReturnType<typeof indexedPhotos>>[number]

function bestFirst(photos: IndexedPhoto[], similarities: Map<string, number>): (IndexedPhoto & Found)[] {
  return photos
    .map((photo) => ({ ...photo, similarity: similarities.get(photo.id)! }))
    .sort((a, b) => b.similarity - a.similarity)
}

function pagesOf<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, page) =>
    items.slice(page * size, (page + 1) * size),
  )
}

function matchedPhoto(
  { links }: Pick<SearchDeps, 'links'>,
  { password_version }: Album,
  { id, filename, media_type, similarity }: IndexedPhoto & Found,
  origin: string,
): MatchedPhoto {
  const addresses = addressesOf(links, origin, { id, password_version })
  return { ...addresses, filename: pictureName(filename, media_type), similarity }
}

/** The photos of these albums that show the person of a normalised selfie, each with the similarity of its best
 *  matching face. Each engine sees the selfie once. While photos move from one engine to another, both are searched. The
 *  former engine keeps a photo's faces until long after the move (see src/albums/move.ts), so no photo is missed.
 *  @throws AppError UNPROCESSABLE_CONTENT when the selfie shows no face. */
export async function photosLike(
  { db, faces, formerFaces, threshold }: Omit<SearchDeps, 'links' | 'decoders' | 'keyring'>,
  albumIds: string[],
  image: Buffer,
): Promise<Map<string, number>> {
  const moving = await albumsInEngine(db, albumIds, formerFaces.engine)
  const [current, former] = await Promise.allSettled([
    faces.search(albumIds, image, threshold),
    moving.length > 0 ? formerFaces.use((index) => index.search(moving, image, threshold)) : undefined,
  ])
  if (current.status === 'rejected') throw current.reason
  if (former.status === 'fulfilled') return bestPerPhoto(current.value, former.value)
  // The current engine saw a face, so its answer counts. Without a collection it did not look at the selfie.
  if (isUnprocessable(former.reason) && current.value.size > 0) return bestPerPhoto(current.value)
  throw former.reason
}

function isUnprocessable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'UNPROCESSABLE_CONTENT'
}

function bestPerPhoto(...answers: (Map<string, FaceMatch[]> | undefined)[]): Map<string, number> {
  const best = new Map<string, number>()
  for (const { photoId, similarity } of answers.flatMap((found) => [...(found?.values() ?? [])].flat()))
    best.set(photoId, Math.max(similarity, best.get(photoId) ?? 0))
  return best
}
