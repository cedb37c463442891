import { type AlbumSearch, createAlbumSearch } from '../faces/embedded/album-search.ts'
import {
  type CollectionState,
  DESCRIPTOR_LENGTH,
  type DescriptorReader,
  type DescriptorStore,
  FACE_ID_BYTES,
  type FaceChunk,
  type StoredFace,
} from '../faces/embedded/descriptor-store.ts'
import type { AlbumFace } from '../faces/embedded/find-person.ts'
import { noCollection } from '../faces/errors.ts'

interface Collection extends Omit<CollectionState, 'faces'> {
  faces: (StoredFace & { revision: number })[]
  removals: { revision: number; faceIds: string[] }[]
}

/** What an embedded face index needs besides its workers, all in this process's memory. */
export function descriptorsInMemory(): { store: DescriptorStore; albums: AlbumSearch } {
  const store = createMemoryDescriptorStore()
  return { store, albums: createAlbumSearch(store, { maxBytes: 1e9 }) }
}

/** Keeps descriptors in this process's memory, for tests and benches. Several face indexes can share one, as
 *  processes share a database. */
export function createMemoryDescriptorStore(chunkSize = 2_000): DescriptorStore & DescriptorReader {
  const collections = new Map<string, Collection>()
  let lastRevision = 0

  function remove(collection: Collection, isGone: (face: StoredFace) => boolean): void {
    const gone = collection.faces.filter(isGone)
    if (gone.length === 0) return
    collection.faces = collection.faces.filter((face) => !isGone(face))
    collection.revision = ++lastRevision
    collection.removedRevision = lastRevision
    collection.removals.push({ revision: lastRevision, faceIds: gone.map(({ faceId }) => faceId) })
  }

  return {
    async createCollection(albumId) {
      if (collections.has(albumId)) return
      lastRevision++
      const fresh = { revision: lastRevision, removedRevision: lastRevision, faces: [], removals: [] }
      collections.set(albumId, fresh)
    },

    async deleteCollection(albumId) {
      collections.delete(albumId)
    },

    async savePhoto(albumId, photoId, faces) {
      const collection = collections.get(albumId)
      if (!collection) throw noCollection()
      const former = collection.faces.filter((face) => face.photoId === photoId)
      if (sameFaces(former, faces)) return
      remove(collection, (face) => face.photoId === photoId)
      collection.revision = ++lastRevision
      for (const face of faces) collection.faces.push({ ...face, photoId, revision: lastRevision })
    },

    async removePhotos(albumId, photoIds) {
      const collection = collections.get(albumId)
      if (collection) remove(collection, ({ photoId }) => photoIds.includes(photoId))
    },

    async removeFaces(albumId, faceIds) {
      const collection = collections.get(albumId)
      if (collection) remove(collection, ({ faceId }) => faceIds.includes(faceId))
    },

    async descriptorsOf(albumId, faceIds) {
      const faces = collections.get(albumId)?.faces ?? []
      return faces.filter(({ faceId }) => faceIds.includes(faceId)).map(({ descriptor }) => descriptor)
    },

    async countFaces(albumId) {
      return collections.get(albumId)?.faces.length ?? 0
    },

    async withCollection(albumIds) {
      return albumIds.filter((albumId) => collections.has(albumId))
    },

    async states(albumIds) {
      return new Map(
        albumIds.flatMap((albumId) => {
          const collection = collections.get(albumId)
          if (!collection) return []
          const { revision, removedRevision, strangers, faces } = collection
          return [[albumId, { revision, removedRevision, strangers, faces: faces.length }]]
        }),
      )
    },

    async removedFaces(albumId, after, { revision: upTo, removedRevision }) {
      const removals = collections.get(albumId)?.removals ?? []
      const wanted = removals.filter(({ revision }) => revision > after && revision <= upTo)
      // The last removal may be the creation.
      const isComplete = wanted.at(-1)?.revision === removedRevision
      return isComplete ? wanted.flatMap(({ faceIds }) => faceIds) : undefined
    },

    async load(albumId, { after, upTo }, onChunk) {
      const faces = collections.get(albumId)?.faces ?? []
      const wanted = faces.filter((face) => face.revision > after && face.revision <= upTo)
      for (let start = 0; start < wanted.length; start += chunkSize)
        onChunk(chunkOf(wanted.slice(start, start + chunkSize)))
    },

    async facesOf(albumId, faceIds) {
      const wanted = new Set(faceIds)
      return goodFaces(collections.get(albumId)?.faces.filter(({ faceId }) => wanted.has(faceId)))
    },

    async facesInPhotos(photoIds) {
      const faces = [...collections.values()].flatMap((collection) => collection.faces)
      return faces.filter(({ photoId }) => photoIds.includes(photoId)).map(({ faceId }) => faceId)
    },

    async facesTogether(albumId) {
      const byPhoto = Map.groupBy(collections.get(albumId)?.faces ?? [], ({ photoId }) => photoId)
      return goodFaces([...byPhoto.values()].filter((faces) => faces.length > 1).flat())
    },

    async keepStrangers(albumId, strangers) {
      const collection = collections.get(albumId)
      if (collection) collection.strangers = strangers
    },

    async close() {},
  }
}

function goodFaces(faces: StoredFace[] = []): AlbumFace[] {
  return faces.map((face) => ({ ...face, strictness: 0 }))
}

/** These faces as a reader gives them. */
export function chunkOf(faces: Pick<StoredFace, 'faceId' | 'descriptor'>[]): FaceChunk {
  const chunk = {
    count: faces.length,
    faceIds: new Uint8Array(faces.length * FACE_ID_BYTES),
    descriptors: new Float32Array(faces.length * DESCRIPTOR_LENGTH),
  }
  for (const [index, { faceId, descriptor }] of faces.entries()) {
    chunk.faceIds.set(Buffer.from(faceId.replaceAll('-', ''), 'hex'), index * FACE_ID_BYTES)
    chunk.descriptors.set(descriptor, index * DESCRIPTOR_LENGTH)
  }
  return chunk
}

function sameFaces(former: StoredFace[], faces: Omit<StoredFace, 'photoId'>[]): boolean {
  return (
    former.length === faces.length &&
    faces.every(({ faceId, descriptor }) => {
      const known = former.find((face) => face.faceId === faceId)?.descriptor
      return known?.every((value, index) => value === descriptor[index])
    })
  )
}
