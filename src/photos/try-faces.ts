import { randomUUID } from 'node:crypto'
import { hasCode } from '../errors.ts'
import { BLANK_PICTURE } from '../faces/blank-picture.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { FileStorage } from '../storage/file-storage.ts'

/** Tries a face engine in the cloud as albums use it: creates a collection, indexes a blank picture without a face, searches
 *  with it, counts and removes faces, and deletes the collection. Only a search by a face of the collection is missing,
 *  because there is none.
 *  @returns whether the picture had to be sent, because the engine cannot read the bucket */
export async function tryFaces(deps: {
  storage: FileStorage
  faces: FaceIndex
}): Promise<{ isSent: boolean }> {
  const { storage, faces } = deps
  const albumId = randomUUID()
  const key = `doctor/${albumId}`
  let isSent = false
  await storage.write(key, BLANK_PICTURE, 'image/jpeg')
  try {
    await faces.createCollection(albumId)
    await faces.indexPhoto(albumId, randomUUID(), {
      async read() {
        isSent = true
        return BLANK_PICTURE
      },
      s3Object: storage.bucket === undefined ? undefined : { bucket: storage.bucket, name: key },
    })
    await searchBlank(faces, albumId)
    await faces.countFaces(albumId)
    await faces.removePhotos(albumId, [randomUUID()])
    await faces.removeFaces(albumId, [randomUUID()])
  } finally {
    await faces.deleteCollection(albumId)
    await storage.delete(key)
  }
  return { isSent }
}

async function searchBlank(faces: FaceIndex, albumId: string): Promise<void> {
  // The second face: engines find all faces of such a picture before they search.
  const selfies = [{ image: BLANK_PICTURE, face: 1 }]
  try {
    await faces.search([albumId], { selfies })
  } catch (error) {
    const hasNoFace = hasCode(error, 'UNPROCESSABLE_CONTENT')
    if (!hasNoFace) throw error
  }
}
