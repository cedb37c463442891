import { randomBytes, randomUUID } from 'node:crypto'
import type { Db } from '../database/client.ts'
import { bytesOf } from '../faces/embedded/descriptors.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { boxColumns } from '../photos/face-box.ts'
import type { TestDomain } from './domain.ts'
import { indexedFace } from './indexed-face.ts'
import { PLACEHOLDER } from './indexed-photos.ts'

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
  const made = photos.map((descriptors) => ({
    photoId: randomUUID(),
    faces: descriptors.map((descriptor) => ({ id: randomUUID(), descriptor })),
  }))
  const faces = made.flatMap(({ photoId, faces }) =>
    faces.map(({ id, descriptor }) => {
      const { box, confidence, quality } = indexedFace()
      return {
        ...{ id, album_id: albumId, photo_id: photoId, ...boxColumns(box), confidence, ...quality },
        descriptor: bytesOf(descriptor),
      }
    }),
  )
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('albums')
      .set((album) => ({
        photos_stored: album('photos_stored', '+', made.length),
        photos_settled: album('photos_settled', '+', made.length),
        faces_found: album('faces_found', '+', faces.length),
      }))
      .where('id', '=', albumId)
      .execute()
    await trx
      .insertInto('photos')
      .values(made.map(({ photoId, faces }) => ({ ...photoRow(albumId, photoId), ...indexed(faces.length) })))
      .execute()
    if (faces.length > 0) await trx.insertInto('faces').values(faces).execute()
  })
  return made.map(({ photoId, faces }) => ({ photoId, faceIds: faces.map(({ id }) => id) }))
}

/** The same index, which also stores the photos that it is given, and records what it finds in them. */
export function recording(index: FaceIndex, domain: TestDomain): FaceIndex {
  return {
    ...index,
    async indexPhoto(albumId, photoId, ...rest) {
      const found = await index.indexPhoto(albumId, photoId, ...rest)
      const { numInsertedOrUpdatedRows: added } = await domain.db
        .insertInto('photos')
        .values(photoRow(albumId, photoId))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow()
      await domain.db
        .updateTable('albums')
        .set((album) => ({ photos_stored: album('photos_stored', '+', Number(added)) }))
        .where('id', '=', albumId)
        .execute()
      const photo = await domain.db
        .selectFrom('photos')
        .selectAll()
        .where('id', '=', photoId)
        .executeTakeFirstOrThrow()
      await domain.settle(photo, found)
      return found
    },
  }
}

const photoRow = (albumId: string, photoId: string) => ({
  ...{ id: photoId, album_id: albumId, sha256: randomBytes(32), filename: `${photoId}.jpg` },
  ...{ media_type: 'image/jpeg' as const, size: 1000, width: 2000, height: 1500, placeholder: PLACEHOLDER },
})
const indexed = (faces: number) => ({
  ...{ state: 'indexed' as const, engine: 'embedded' as const, face_count: faces },
})
