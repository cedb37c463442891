import type { Selectable } from 'kysely'
import type { Db, Trx } from '../../database/client.ts'
import type { FaceDescriptorTable } from '../../database/schema.ts'
import { noCollection } from '../errors.ts'
import {
  countDescriptors,
  deleteCollection,
  deleteDescriptors,
  deleteDescriptorsOfFaces,
  descriptorsOfPhoto,
  insertCollection,
  insertDescriptors,
  lockCollection,
  readCollections,
  setRevision,
} from './descriptor-queries.ts'
import type { DescriptorStore, StoredFace } from './descriptor-store.ts'
import { collectionsIn, readFaces } from './postgres-descriptor-reader.ts'

interface PhotoToSave {
  albumId: string
  photoId: string
  faces: Omit<StoredFace, 'photoId'>[]
}

/** The embedded engine's descriptors in Postgres, shared by every process. */
export function createPostgresDescriptorStore(db: Db): DescriptorStore {
  return {
    ...collectionsIn(db),
    createCollection: (albumId) => insertCollection(db, albumId),
    deleteCollection: (albumId) => deleteCollection(db, albumId),
    countFaces: (albumId) => countDescriptors(db, albumId),

    savePhoto: (albumId, photoId, faces) => savePhoto(db, { albumId, photoId, faces }),

    removePhotos: (albumId, photoIds) =>
      remove(db, albumId, photoIds, (trx) => deleteDescriptors(trx, albumId, photoIds)),

    removeFaces: (albumId, faceIds) =>
      remove(db, albumId, faceIds, (trx) => deleteDescriptorsOfFaces(trx, albumId, faceIds)),

    async descriptorsOf(albumId, faceIds) {
      return (await readFaces(db, albumId, faceIds)).map(({ descriptor }) => descriptor)
    },

    async withCollection(albumIds) {
      const rows = await readCollections(db, albumIds)
      return rows.map((row) => row.album_id)
    },
  }
}

/** Changes a collection under its lock. */
function changeCollection<T>(
  db: Db,
  albumId: string,
  work: (trx: Trx, exists: boolean) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => work(trx, await lockCollection(trx, albumId)))
}

/** @param ids what is to be removed
 *  @param work removes it, and returns the ids of the removed faces */
function remove(
  db: Db,
  albumId: string,
  ids: string[],
  work: (trx: Trx) => Promise<string[]>,
): Promise<void> {
  return changeCollection(db, albumId, async (trx, exists) => {
    if (!exists || ids.length === 0) return
    const removed = await work(trx)
    if (removed.length > 0) await setRevision(trx, albumId, removed)
  })
}

async function savePhoto(db: Db, { albumId, photoId, faces }: PhotoToSave): Promise<void> {
  await changeCollection(db, albumId, async (trx, exists) => {
    if (!exists) throw noCollection()
    const rows = faces.map(rowOf)
    const former = await descriptorsOfPhoto(trx, photoId)
    if (isSame(former, rows)) return
    const removed = former.length > 0 ? await deleteDescriptors(trx, albumId, [photoId]) : []
    const revision = await setRevision(trx, albumId, removed)
    await insertDescriptors(
      trx,
      rows.map((row) => ({ ...row, album_id: albumId, photo_id: photoId, revision })),
    )
  })
}

const rowOf = ({ faceId, descriptor }: PhotoToSave['faces'][number]) => ({
  face_id: faceId,
  descriptor: toBytes(descriptor),
})

/** Little-endian, as on every machine that Node 24 runs on. */
function toBytes(descriptor: Float32Array): Buffer {
  return Buffer.from(descriptor.buffer, descriptor.byteOffset, descriptor.byteLength)
}

type DescriptorRow = Pick<Selectable<FaceDescriptorTable>, 'face_id' | 'descriptor'>

function isSame(former: DescriptorRow[], rows: DescriptorRow[]): boolean {
  const known = new Map(former.map((row) => [row.face_id, row.descriptor]))
  return (
    known.size === rows.length &&
    rows.every(({ face_id, descriptor }) => known.get(face_id)?.equals(descriptor))
  )
}
