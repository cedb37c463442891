import type { DescriptorStore, StoredFace } from '../faces/embedded/descriptor-store.ts'
import { noCollection } from '../faces/errors.ts'

interface Collection {
  revision: number
  removedRevision: number
  faces: (StoredFace & { revision: number })[]
}

/** Keeps descriptors in this process's memory, for tests and benches. Several face indexes can share one, as
 *  processes share a database. */
export function createMemoryDescriptorStore(chunkSize = 2_000): DescriptorStore {
  const collections = new Map<string, Collection>()
  let lastRevision = 0

  return {
    async createCollection(albumId) {
      if (collections.has(albumId)) return
      lastRevision++
      collections.set(albumId, { revision: lastRevision, removedRevision: lastRevision, faces: [] })
    },

    async deleteCollection(albumId) {
      collections.delete(albumId)
    },

    async savePhoto(albumId, photoId, faces) {
      const collection = collections.get(albumId)
      if (!collection) throw noCollection()
      const former = collection.faces.filter((face) => face.photoId === photoId)
      if (sameFaces(former, faces)) return
      collection.revision = ++lastRevision
      if (former.length > 0) {
        collection.removedRevision = lastRevision
        collection.faces = collection.faces.filter((face) => face.photoId !== photoId)
      }
      for (const face of faces) collection.faces.push({ ...face, photoId, revision: lastRevision })
    },

    async removePhotos(albumId, photoIds) {
      const collection = collections.get(albumId)
      if (!collection) return
      const kept = collection.faces.filter((face) => !photoIds.includes(face.photoId))
      if (kept.length === collection.faces.length) return
      collection.faces = kept
      collection.revision = ++lastRevision
      collection.removedRevision = lastRevision
    },

    async countFaces(albumId) {
      return collections.get(albumId)?.faces.length ?? 0
    },

    async states(albumIds) {
      return new Map(
        albumIds.flatMap((albumId) => {
          const collection = collections.get(albumId)
          if (!collection) return []
          const { revision, removedRevision } = collection
          return [[albumId, { revision, removedRevision }]]
        }),
      )
    },

    async *load(albumId, after, upTo) {
      const faces = collections.get(albumId)?.faces ?? []
      const wanted = faces.filter((face) => face.revision > after && face.revision <= upTo)
      for (let start = 0; start < wanted.length; start += chunkSize)
        yield wanted.slice(start, start + chunkSize)
    },
  }
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
