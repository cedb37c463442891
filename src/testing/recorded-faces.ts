import { randomUUID } from 'node:crypto'
import type { Db } from '../database/client.ts'
import { bytesOf } from '../faces/embedded/descriptors.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { boxColumns } from '../photos/face-box.ts'
import type { TestDomain } from './domain.ts'
import { indexedFace } from './engine-answers.ts'
import { insertIndexedPhotos, insertPhotoRows } from './indexed-photos.ts'

export interface RecordedPhoto {
  photoId: string
  faceIds: string[]
}

/** Gives an album photos with good faces of these descriptors, as the embedded engine leaves them. */
export async function recordPhotos(
  db: Db,
  albumId: string,
  photos: readonly (readonly Float32Array[])[],
): Promise<RecordedPhoto[]> {
  if (photos.length === 0) return []
  return await db.transaction().execute(async (trx) => {
    const counts = photos.map((descriptors) => descriptors.length)
    const photoIds = await insertIndexedPhotos(trx, albumId, counts)
    const faces = photoIds.map((photo_id, place) =>
      photos[place]!.map((descriptor) => {
        const { box, confidence, quality } = indexedFace()
        return {
          ...{ id: randomUUID(), album_id: albumId, photo_id, ...boxColumns(box), confidence, ...quality },
          descriptor: bytesOf(descriptor),
        }
      }),
    )
    if (faces.flat().length > 0) await trx.insertInto('faces').values(faces.flat()).execute()
    return photoIds.map((photoId, place) => ({ photoId, faceIds: faces[place]!.map(({ id }) => id) }))
  })
}

/** The same index, which also stores the photos that it is given, and records what it finds in them. */
export function recording(index: FaceIndex, { db, settle }: TestDomain): FaceIndex {
  return {
    ...index,
    async indexPhoto(albumId, photoId, ...rest) {
      const found = await index.indexPhoto(albumId, photoId, ...rest)
      const stored = await db.selectFrom('photos').selectAll().where('id', '=', photoId).executeTakeFirst()
      const [photo = stored!] = stored ? [] : await insertPhotoRows(db, albumId, [{ id: photoId }])
      await settle(photo, found)
      return found
    },
  }
}
