import type { MatchedPhoto } from '../contract/search.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { enginesOf } from '../faces/collection-queries.ts'
import type { FaceIndex, FaceMatch } from '../faces/face-index.ts'
import type { FormerFaces } from '../faces/former-faces.ts'
import type { PhotoLinks } from '../photos/links.ts'
import { indexedPhotos } from '../photos/queries.ts'
import { addressesOf } from './addresses.ts'
import { normaliseSelfie } from './selfie.ts'

export interface SearchDeps {
  db: Db
  faces: FaceIndex
  formerFaces: FormerFaces
  links: PhotoLinks
  /** Similarity (0–100) from which a face counts as the same person. */
  threshold: number
}

/** Every photo of the album that shows the person of the selfie, best match first. The selfie stays in memory.
 *  @param origin where addresses begin, without a slash at its end
 *  @throws AppError when the selfie is no readable image, or shows no face. */
export async function searchAlbum(
  deps: SearchDeps,
  album: Album,
  selfie: Buffer,
  origin: string,
): Promise<MatchedPhoto[]> {
  const image = await normaliseSelfie(selfie)
  const similarities = await photosLike(deps, album.id, image)
  const photos = await indexedPhotos(deps.db, album.id, [...similarities.keys()])
  return photos
    .map(({ id, filename }) => ({
      ...addressesOf(deps.links, origin, { id, password_version: album.password_version }),
      filename,
      similarity: similarities.get(id)!,
    }))
    .sort((a, b) => b.similarity - a.similarity)
}

/** The photos of an album that show the person of a normalised selfie, each with the similarity of its best
 *  matching face. While photos move from one engine to another, both are searched. The former engine keeps a photo's
 *  faces until long after the move (see src/albums/move.ts), so no photo is missed.
 *  @throws AppError UNPROCESSABLE_CONTENT when the selfie shows no face. */
export async function photosLike(
  { db, faces, formerFaces, threshold }: Omit<SearchDeps, 'links'>,
  albumId: string,
  image: Buffer,
): Promise<Map<string, number>> {
  const isMoving = (await enginesOf(db, albumId)).includes(formerFaces.engine)
  const search = (index: FaceIndex) => index.search(albumId, image, threshold)
  const [current, former] = await Promise.allSettled([
    search(faces),
    isMoving ? formerFaces.use(search) : undefined,
  ])
  // No photo of the album is in the current engine yet, so only the former engine's answer counts.
  const isCurrentEmpty = failedWith(current, 'NOT_FOUND')
  if (current.status === 'rejected' && !isCurrentEmpty) throw current.reason
  const isExpected =
    failedWith(former, 'NOT_FOUND') || (failedWith(former, 'UNPROCESSABLE_CONTENT') && !isCurrentEmpty)
  if (former.status === 'rejected' && !isExpected) throw former.reason
  return bestPerPhoto([current, former].flatMap((one) => (one.status === 'fulfilled' && one.value) || []))
}

function failedWith(result: PromiseSettledResult<unknown>, code: AppError['code']): boolean {
  return result.status === 'rejected' && result.reason instanceof AppError && result.reason.code === code
}

function bestPerPhoto(matches: FaceMatch[]): Map<string, number> {
  const best = new Map<string, number>()
  for (const { photoId, similarity } of matches)
    best.set(photoId, Math.max(similarity, best.get(photoId) ?? 0))
  return best
}
