import type { Db } from '../database/client.ts'
import type { Photo } from '../database/schema.ts'
import { AppError, hasCode } from '../errors.ts'
import { type Collection, recordCollection } from '../faces/collection-queries.ts'
import type { FaceIndex, PhotoSource } from '../faces/face-index.ts'
import type { Keyring } from '../keyring.ts'
import type { Log } from '../log.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import type { FoundFaces } from './findings.ts'
import { readPeople } from './opted-out.ts'
import { findPhoto } from './queries.ts'
import { keepPreview, photoKey } from './renditions.ts'

interface Deps {
  db: Db
  storage: FileStorage
  faces: FaceIndex
  keyring: Keyring
  log: Log
}

/** Finds the faces of one stored photo and puts them into its album's collection. May be repeated.
 *  @param isRepeat whether this may have been done before
 *  @returns undefined when there is nothing to do: the photo is settled already, or erased.
 *  @throws AppError UNPROCESSABLE_CONTENT when the photo can never be indexed. */
export async function findFacesOfPhoto(
  deps: Deps,
  photoId: string,
  isRepeat: boolean,
): Promise<FoundFaces | undefined> {
  const photo = await findPhoto(deps.db, photoId)
  return photo?.state === 'stored' ? await findFaces(deps, photo, { isRepeat }) : undefined
}

/** The same for a settled photo that another engine has indexed, or that is to be indexed again.
 *  @returns undefined also when this engine has already indexed or refused it. */
export async function findFacesAgain(
  deps: Deps,
  photoId: string,
  isRepeat: boolean,
): Promise<FoundFaces | undefined> {
  const { engine } = deps.faces
  const photo = await findPhoto(deps.db, photoId)
  if (!photo || photo.state === 'stored' || photo.engine === engine || photo.refused_by === engine)
    return undefined
  return await findFaces(deps, photo, { isRepeat: isRepeat || photo.engine === null, canWait: true })
}

async function findFaces(
  deps: Deps,
  photo: Photo,
  options: { isRepeat: boolean; canWait?: boolean },
): Promise<FoundFaces | undefined> {
  const { faces } = deps
  const { album_id: albumId } = photo
  const collection = await openCollection(deps, albumId)
  if (!collection) return undefined
  let previewBytes: number | undefined
  const source = await sourceOf(deps, photo, (bytes) => {
    previewBytes = bytes
  })
  const { people: without, optOutIds: withoutPeople } = await readPeople(deps, albumId)
  const index = async (collection: Collection) => ({
    photo,
    found: await faces.indexPhoto(albumId, photo.id, source, {
      ...options,
      ...(without.length > 0 && { without }),
    }),
    collection,
    withoutPeople,
    previewBytes,
  })
  try {
    return await index(collection)
  } catch (error) {
    if (!hasCode(error, 'NOT_FOUND')) throw error
  }
  // This is the album's first photo, so its collection does not exist yet. An erasure deletes the album's rows first
  // and then its collections. So either this sees that the rows are gone, or the erasure removes the collection after
  // this, with all its faces. The row is written again, because the former one may have been removed: a collection is
  // created only after its row exists.
  await faces.createCollection(albumId)
  const made = await openCollection(deps, albumId)
  if (made) return await index(made)
  await faces.deleteCollection(albumId)
  return undefined
}

/** Where an engine reads the photo, and where it leaves the preview.
 *  @param onPreview is told how many bytes it has, when it was stored */
async function sourceOf(deps: Deps, photo: Photo, onPreview: (bytes: number) => void): Promise<PhotoSource> {
  const { storage } = deps
  const key = photoKey(photo.album_id, photo.sha256, 'original')
  const isInReach = storage.bucket !== undefined && photo.is_taken_as_stored
  const hasPreview =
    photo.preview_bytes > 0 && (await storage.exists(photoKey(photo.album_id, photo.sha256, 'preview')))
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
    keepPreview: hasPreview
      ? undefined
      : async (preview) => {
          if (await tryToKeepPreview(storage, photo, preview)) onPreview(preview.length)
        },
    s3Object: isInReach ? { bucket: storage.bucket!, name: key } : undefined,
  }
}

/** While storage is unavailable, or the disk almost full, the photo gets no preview. It is made when somebody asks for it.
 *  @returns whether it was stored */
async function tryToKeepPreview(storage: FileStorage, photo: Photo, preview: Buffer): Promise<boolean> {
  try {
    await keepPreview(storage, photo, preview)
    return true
  } catch (error) {
    if (hasCode(error, 'SERVICE_UNAVAILABLE')) return false
    throw error
  }
}

/** @returns undefined when the album has been erased
 *  @throws AppError SERVICE_UNAVAILABLE while the album's former collection in this engine is being removed */
async function openCollection({ db, faces }: Deps, albumId: string): Promise<Collection | undefined> {
  const collection = await recordCollection(db, albumId, faces.engine)
  if (collection?.is_leaving)
    throw new AppError('SERVICE_UNAVAILABLE', 'The former collection of this album is still being removed')
  return collection
}
