import type { Db } from '../database/client.ts'
import type { Photo } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { FaceIndex, IndexedPhoto } from '../faces/face-index.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { albumExists, findPhoto } from './queries.ts'
import { photoKey } from './renditions.ts'

interface Deps {
  db: Db
  storage: FileStorage
  faces: FaceIndex
}

/** Finds the faces of one stored photo and puts them into its album's collection. May be repeated.
 *  @param isRepeat whether this has perhaps been done before
 *  @returns undefined when there is nothing to do: the photo is settled already, or erased.
 *  @throws AppError UNPROCESSABLE_CONTENT when the photo can never be indexed. */
export async function findFacesOfPhoto(
  deps: Deps,
  photoId: string,
  isRepeat: boolean,
): Promise<{ photo: Photo; found: IndexedPhoto } | undefined> {
  const { db, storage, faces } = deps
  const photo = await findPhoto(db, photoId)
  if (photo?.state !== 'stored') return undefined
  const original = await storage.read(photoKey(photo.album_id, photo.sha256, 'original'))
  const index = () => faces.indexPhoto(photo.album_id, photo.id, original, { isRepeat })
  try {
    return { photo, found: await index() }
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error
    // The album's first photo: nobody needs a collection before.
    return (await createCollection(deps, photo.album_id)) ? { photo, found: await index() } : undefined
  }
}

/** Makes a collection for an album that is still there. Whoever erases an album removes its rows first and its
 *  collection then: so either this sees that the rows are gone, or the collection goes after this, and with it
 *  all faces that come into it.
 *  @returns false when the album has been erased */
async function createCollection({ db, faces }: Omit<Deps, 'storage'>, albumId: string): Promise<boolean> {
  await faces.createCollection(albumId)
  if (await albumExists(db, albumId)) return true
  await faces.deleteCollection(albumId)
  return false
}
