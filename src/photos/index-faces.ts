import type { Db } from '../database/client.ts'
import type { Photo } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { FaceIndex, IndexedFace } from '../faces/face-index.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { findPhoto } from './queries.ts'
import { photoKey } from './renditions.ts'

/** Finds the faces of one stored photo and puts them into its album's collection. May be repeated.
 *  @returns undefined when there is nothing to do: the photo is settled already, or erased.
 *  @throws AppError UNPROCESSABLE_CONTENT when the photo can never be indexed. */
export async function findFacesOfPhoto(
  { db, storage, faces }: { db: Db; storage: FileStorage; faces: FaceIndex },
  photoId: string,
): Promise<{ photo: Photo; found: IndexedFace[] } | undefined> {
  const photo = await findPhoto(db, photoId)
  if (photo?.state !== 'stored') return undefined
  const original = await storage.read(photoKey(photo.album_id, photo.sha256, 'original'))
  return { photo, found: await indexInCollection(faces, photo, original) }
}

async function indexInCollection(faces: FaceIndex, photo: Photo, original: Buffer): Promise<IndexedFace[]> {
  try {
    return await faces.indexPhoto(photo.album_id, photo.id, original)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error
    // The album's first photo: nobody needs a collection before.
    await faces.createCollection(photo.album_id)
    return await faces.indexPhoto(photo.album_id, photo.id, original)
  }
}
