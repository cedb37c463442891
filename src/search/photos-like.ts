import { MOST_POSSIBLE } from '../contract/limits.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { bestOfPhotos } from '../faces/best-of-photos.ts'
import { albumsInEngine } from '../faces/collection-queries.ts'
import type { FaceIndex, FaceMatch, PersonQuery, PersonSearch, SelfieFaces } from '../faces/face-index.ts'
import type { FormerFaces } from '../faces/former-faces.ts'

export interface MatchDeps {
  db: Db
  faces: FaceIndex
  formerFaces: FormerFaces
  /** Similarity (0–100) from which a face is surely of the person; undefined: the engine decides. */
  threshold?: number | undefined
}

/** What was found in all albums together. No photo is in it twice. */
export interface PhotosLike {
  /** Best match first. */
  sure: FaceMatch[]
  possible: FaceMatch[]
  selfies: SelfieFaces[]
}

/** The photos of these albums that show a person, each with its best matching face. Each engine sees the selfies once.
 *  While photos move from one engine to another, both are searched. The former engine keeps a photo's faces until long
 *  after the move (see src/albums/move.ts), so no photo is missed.
 *  @param person with normalised selfies
 *  @throws AppError UNPROCESSABLE_CONTENT when no selfie shows a face. */
export async function photosLike(
  { db, faces, formerFaces, threshold }: MatchDeps,
  albumIds: string[],
  person: PersonQuery,
): Promise<PhotosLike> {
  const moving = await albumsInEngine(db, albumIds, formerFaces.engine)
  const [current, former] = await Promise.allSettled([
    faces.search(albumIds, person, threshold),
    moving.length > 0 ? formerFaces.use((index) => index.search(moving, person, threshold)) : undefined,
  ])
  if (current.status === 'rejected') throw current.reason
  if (former.status === 'fulfilled') return merged(current.value, former.value)
  // The current engine saw a face, so its answer counts. Without a collection it did not look at the selfies.
  if (isUnprocessable(former.reason) && current.value.found.size > 0) return merged(current.value)
  throw former.reason
}

function isUnprocessable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'UNPROCESSABLE_CONTENT'
}

function merged(...answers: (PersonSearch | undefined)[]): PhotosLike {
  const found = answers.flatMap((answer) => [...(answer?.found.values() ?? [])])
  const sure = bestOfPhotos(found.flatMap((one) => one.sure))
  const isSure = new Set(sure.map(({ photoId }) => photoId))
  const possible = found.flatMap((one) => one.possible).filter(({ photoId }) => !isSure.has(photoId))
  return {
    sure,
    possible: bestOfPhotos(possible).slice(0, MOST_POSSIBLE),
    selfies: answers.find((answer) => answer?.selfies.length)?.selfies ?? [],
  }
}
