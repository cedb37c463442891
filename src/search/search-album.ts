import type { MatchedPhoto } from '../contract/search.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { FaceIndex, FaceMatch } from '../faces/face-index.ts'
import type { PhotoLinks } from '../photos/links.ts'
import { indexedPhotos } from '../photos/queries.ts'
import { normaliseSelfie } from './selfie.ts'

export interface SearchDeps {
  db: Db
  faces: FaceIndex
  links: PhotoLinks
  /** Similarity (0–100) from which a face counts as the same person. */
  threshold: number
}

/** Every photo of the album that shows the person of the selfie, best match first. The selfie is only ever
 *  in memory. Addresses are paths on this site.
 *  @throws AppError when the selfie is no readable image, or shows no face. */
export async function searchAlbum(deps: SearchDeps, album: Album, selfie: Buffer): Promise<MatchedPhoto[]> {
  const image = await normaliseSelfie(selfie)
  const similarities = bestPerPhoto(await facesLike(deps, album.id, image))
  const photos = await indexedPhotos(deps.db, album.id, [...similarities.keys()])
  return photos
    .map((photo) => ({
      ...deps.links.sign(photo.id, album.password_version),
      filename: photo.filename,
      similarity: similarities.get(photo.id)!,
    }))
    .sort((a, b) => b.similarity - a.similarity)
}

async function facesLike(deps: SearchDeps, albumId: string, image: Buffer): Promise<FaceMatch[]> {
  try {
    return await deps.faces.search(albumId, image, deps.threshold)
  } catch (error) {
    // No photo of the album has been indexed yet.
    if (error instanceof AppError && error.code === 'NOT_FOUND') return []
    throw error
  }
}

function bestPerPhoto(matches: FaceMatch[]): Map<string, number> {
  const best = new Map<string, number>()
  for (const { photoId, similarity } of matches)
    best.set(photoId, Math.max(similarity, best.get(photoId) ?? 0))
  return best
}
