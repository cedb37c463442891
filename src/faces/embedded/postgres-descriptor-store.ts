import type { Db, Trx } from '../../database/client.ts'
import { noCollection } from '../errors.ts'
import {
  countDescriptors,
  deleteCollection,
  deleteDescriptors,
  descriptorsBetween,
  descriptorsOfPhoto,
  insertCollection,
  insertDescriptors,
  lockCollection,
  readCollections,
  setRevision,
} from './descriptor-queries.ts'
import type { DescriptorStore, StoredFace } from './descriptor-store.ts'

/** The embedded engine's descriptors in Postgres, shared by every process. */
export function createPostgresDescriptorStore(db: Db): DescriptorStore {
  /** Changes a collection under its lock. */
  const change = <T>(albumId: string, work: (trx: Trx, exists: boolean) => Promise<T>) =>
    db.transaction().execute(async (trx) => work(trx, await lockCollection(trx, albumId)))

  return {
    createCollection: (albumId) => insertCollection(db, albumId),
    deleteCollection: (albumId) => deleteCollection(db, albumId),
    countFaces: (albumId) => countDescriptors(db, albumId),

    savePhoto: (albumId, photoId, faces) =>
      change(albumId, async (trx, exists) => {
        if (!exists) throw noCollection()
        const rows = faces.map(({ faceId, descriptor }) => ({ faceId, bytes: toBytes(descriptor) }))
        const former = await descriptorsOfPhoto(trx, photoId)
        if (isSame(former, rows)) return
        if (former.length > 0) await deleteDescriptors(trx, albumId, [photoId])
        const revision = await setRevision(trx, albumId, { removal: former.length > 0 })
        await insertDescriptors(
          trx,
          rows.map(({ faceId, bytes }) => ({
            face_id: faceId,
            album_id: albumId,
            photo_id: photoId,
            revision,
            descriptor: bytes,
          })),
        )
      }),

    removePhotos: (albumId, photoIds) =>
      change(albumId, async (trx, exists) => {
        if (!exists || photoIds.length === 0) return
        if ((await deleteDescriptors(trx, albumId, photoIds)) > 0)
          await setRevision(trx, albumId, { removal: true })
      }),

    async states(albumIds) {
      const rows = await readCollections(db, albumIds)
      return new Map(
        rows.map((row) => [
          row.album_id,
          { revision: Number(row.revision), removedRevision: Number(row.removed_revision) },
        ]),
      )
    },

    async *load(albumId, after, upTo) {
      for await (const rows of descriptorsBetween(db, albumId, after, upTo))
        yield rows.map(
          (row): StoredFace => ({
            faceId: row.face_id,
            photoId: row.photo_id,
            descriptor: fromBytes(row.descriptor),
          }),
        )
    },
  }
}

/** Little-endian, as on every machine that Node 24 runs on. */
function toBytes(descriptor: Float32Array): Buffer {
  return Buffer.from(descriptor.buffer, descriptor.byteOffset, descriptor.byteLength)
}

function fromBytes(bytes: Buffer): Float32Array {
  // A copy, because a Float32Array needs an offset that is a multiple of four.
  return new Float32Array(new Uint8Array(bytes).buffer)
}

function isSame(
  former: { face_id: string; descriptor: Buffer }[],
  faces: { faceId: string; bytes: Buffer }[],
): boolean {
  const known = new Map(former.map((row) => [row.face_id, row.descriptor]))
  return known.size === faces.length && faces.every(({ faceId, bytes }) => known.get(faceId)?.equals(bytes))
}
