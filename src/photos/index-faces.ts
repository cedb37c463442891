import type { AppContext } from '../context.ts'
import type { EngineName, Photo } from '../database/schema.ts'
import { hasCode } from '../errors.ts'
import { claimAlbum } from '../faces/engine-queries.ts'
import type { IndexedPhoto, PhotoSource } from '../faces/face-index.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { readPeople } from './opted-out.ts'
import { findPhoto } from './queries.ts'
import { keepRendition, photoKey } from './renditions.ts'

/** The faces of a photo, and the engine that has them. */
export interface FoundFaces {
  photo: Photo
  found: IndexedPhoto
  engine: EngineName
  /** The opt-outs of the people who were kept out of the photo; undefined: nobody. */
  withoutPeople?: string[]
}

/** Finds the faces of one photo and puts them into its album's collection. May be repeated.
 *  @param options.isRepeat whether this may have been done before
 *  @param options.again also when the photo is indexed already
 *  @returns undefined when there is nothing to do: the photo is settled already, or erased.
 *  @throws AppError UNPROCESSABLE_CONTENT when the photo can never be indexed. */
export async function findFacesOfPhoto(
  deps: Pick<AppContext, 'db' | 'faces' | 'keyring' | 'log' | 'storage'>,
  photoId: string,
  { isRepeat, again = false }: { isRepeat: boolean; again?: boolean | undefined },
): Promise<FoundFaces | 'another engine' | undefined> {
  const { faces } = deps
  const photo = await findPhoto(deps.db, photoId)
  if (!photo || (photo.engine !== null && !again)) return undefined
  const { album_id: albumId } = photo
  const isOurs = async () => {
    const engine = await claimAlbum(deps.db, albumId, faces.engine)
    return engine && engine === faces.engine
  }
  const isHere = await isOurs()
  if (!isHere) return isHere === undefined ? undefined : 'another engine'
  const source = await sourceOf(deps.storage, photo)
  const { people: without, optOutIds: withoutPeople } = await readPeople(deps, albumId)
  const index = async () => ({
    photo,
    found: await faces.indexPhoto(albumId, photo.id, source, {
      isRepeat,
      ...(without.length > 0 && { without }),
    }),
    engine: faces.engine,
    withoutPeople,
  })
  try {
    return await index()
  } catch (error) {
    if (!hasCode(error, 'NOT_FOUND')) throw error
  }
  // This is the album's first photo, so its collection does not exist yet. An erasure, or a change of the engine, changes the
  // album's row first and then deletes the collection. So either this sees the change, or the collection is deleted after
  // this, with all its faces.
  await faces.createCollection(albumId)
  if (await isOurs()) return await index()
  await faces.deleteCollection(albumId)
  return undefined
}

/** Where an engine reads the photo, and where it leaves the preview. */
async function sourceOf(storage: FileStorage, photo: Photo): Promise<PhotoSource> {
  const key = photoKey(photo.album_id, photo.sha256, 'original')
  const isInReach = storage.bucket !== undefined && photo.is_taken_as_stored
  const isIndexedAgain = photo.face_count !== null
  const hasPreview =
    isIndexedAgain && (await storage.exists(photoKey(photo.album_id, photo.sha256, 'preview')))
  /** While storage is unavailable, or the disk almost full, the photo gets none. It is made when somebody asks for it. */
  async function keepPreview(preview: Buffer): Promise<void> {
    try {
      await keepRendition(storage, photo, 'preview', preview)
    } catch (error) {
      if (!hasCode(error, 'SERVICE_UNAVAILABLE')) throw error
    }
  }
  return {
    async read() {
      try {
        return await storage.read(key)
      } catch (error) {
        // NOT_FOUND from an engine means that the collection is missing.
        if (hasCode(error, 'NOT_FOUND'))
          throw new Error('The file of this photo is missing', { cause: error })
        throw error
      }
    },
    keepPreview: hasPreview ? undefined : keepPreview,
    s3Object: isInReach ? { bucket: storage.bucket!, name: key } : undefined,
  }
}
