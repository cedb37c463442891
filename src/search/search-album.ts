import type { MatchedPhoto } from '../contract/search.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { FaceIndex, FaceMatch } from '../faces/face-index.ts'
import type { PhotoLinks } from '../photos/links.ts'
import { indexedPhotos } from '../photos/queries.ts'
import { addressesOf } from './addresses.ts'
import { normaliseSelfie } from './selfie.ts'

export interface SearchDeps {
  db: Db
  faces: FaceIndex
  links: PhotoLinks
  /** Similarity (0–100) from which a face counts as the same person. */
  threshold: number
}

/** Every photo of the album that shows the person of the selfie, best match first. The selfie is only ever
 *  in memory.
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
 *  matching face.
 *  @throws AppError UNPROCESSABLE_CONTENT when the selfie shows no face. */
export async function photosLike(
  deps: Pick<SearchDeps, 'faces' | 'threshold'>,
  albumId: string,
  image: Buffer,
): Promise<Map<string, number>> {
  try {
    return bestPerPhoto(await deps.faces.search(albumId, image, deps.threshold))
  } catch (error) {
    // No photo of the album has been indexed yet.
    if (error instanceof AppError && error.code === 'NOT_FOUND') return new Map()
    throw error
  }
}

function bestPerPhoto(matches: FaceMatch[]): Map<string, number> {
  const best = new Map<string, number>()
  for (const { photoId, similarity } of matches)
    best.set(photoId, Math.max(similarity, best.get(photoId) ?? 0))
  return best
}
