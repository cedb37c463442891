import { createHash } from 'node:crypto'
import { uuidOf } from '../../database/uuid.ts'
import { AppError } from '../../errors.ts'
import type { FaceIndex, PersonQuery } from '../face-index.ts'
import { createStrangersMeter, limitsOfAlbum } from './album-limits.ts'
import type { AlbumSearch } from './album-search.ts'
import type { DescriptorStore } from './descriptor-store.ts'
import type { DescribedFace } from './engine.ts'
import type { FaceWorkers } from './face-workers.ts'
import { packTemplate, unpackTemplate } from './person-template.ts'
import { seenIn } from './seen-selfies.ts'
import { personAsBytes, recognise } from './unwanted-people.ts'

export interface EmbeddedFaceIndexOptions {
  store: DescriptorStore
  /** Searches what is in the store. Closed with the index. */
  albums: AlbumSearch
  /** Closed with the index. */
  workers: FaceWorkers
}

/** Inframe's own face index: networks in processes of their own, descriptors in the store, searches in memory. */
export function createEmbeddedFaceIndex({ store, albums, workers }: EmbeddedFaceIndexOptions): FaceIndex {
  async function describe({ selfies, evidence }: PersonQuery): Promise<ReturnType<typeof seenIn>> {
    return seenIn(
      await Promise.all(selfies.map(({ image, face }) => workers.describeSelfie(image, face))),
      evidence && unpackTemplate(evidence),
    )
  }

  const keepMeasured = createStrangersMeter(store)

  /** The faces of the people who are not to be indexed in an album, with the place of each in `people`. */
  async function unwantedAmong(
    faces: DescribedFace[],
    albumId: string,
    people: Buffer[],
  ): Promise<ReturnType<typeof recognise<DescribedFace>>> {
    if (people.length === 0) return new Map()
    const state = (await store.states([albumId])).get(albumId)
    return recognise(faces, people, limitsOfAlbum(state ?? { faces: 0 }))
  }

  return {
    engine: 'embedded',
    createCollection: (albumId) => store.createCollection(albumId),

    async indexPhoto(albumId, photoId, photo, { canWait = false, without = [] } = {}) {
      const described = await workers.describePhoto(await photo.read(), {
        withPreview: photo.keepPreview !== undefined,
        canWait,
      })
      const unwanted = await unwantedAmong(described.faces, albumId, without)
      // The ids come first, so that a face has the same one also when another person is left out later.
      const faces = described.faces
        .map((face, index) => ({ face, faceId: faceIdOf(albumId, photoId, index) }))
        .filter(({ face }) => !unwanted.has(face))
        .map(({ face, faceId }) => ({ ...face, faceId }))
      await store.savePhoto(
        albumId,
        photoId,
        faces.map(({ faceId, descriptor }) => ({ faceId, descriptor })),
      )
      const state = (await store.states([albumId])).get(albumId)
      // So that the first search of the album finds its limits. The first photos do not count yet.
      if (state && state.faces > 0) await keepMeasured(albumId, state)
      if (described.preview) await photo.keepPreview?.(described.preview)
      return {
        faces: faces.map(({ faceId, box, confidence, quality }) => ({ faceId, box, confidence, quality })),
        unindexed: described.unindexed,
        ...(unwanted.size > 0 && {
          leftOut: [...unwanted].map(([{ box }, person]) => ({ box, person })),
        }),
      }
    },

    async search(albumIds, person, threshold) {
      const existing = await store.withCollection(albumIds)
      if (existing.length === 0) return { found: new Map(), selfies: [] }
      // They load while the selfies are described.
      albums.prepare(existing)
      const { queries: selfies, seen } = await describe(person)
      const { confirmed = [], rejected = [] } = person
      const found = await albums.search(existing, { selfies, confirmed, rejected }, threshold)
      return { found, selfies: seen, evidence: packTemplate(selfies) }
    },

    prepare: (albumIds) => albums.prepare(albumIds),

    removeFaces: (albumId, faceIds) => store.removeFaces(albumId, faceIds),

    async describePerson(albumId, faceIds) {
      const descriptors = await store.descriptorsOf(albumId, faceIds)
      return descriptors.length > 0 ? personAsBytes(descriptors) : undefined
    },

    removePhotos: (albumId, photoIds) => store.removePhotos(albumId, photoIds),

    async deleteCollection(albumId) {
      await store.deleteCollection(albumId)
      albums.forget(albumId)
    },

    countFaces: (albumId) => store.countFaces(albumId),

    async check() {
      if (workers.isDown())
        throw new AppError('SERVICE_UNAVAILABLE', 'No process of the face engine is running')
    },

    async close() {
      await workers.close()
      await albums.close()
    },
  }
}

/** Like a version 5 uuid: always the same for the same face of the same photo, so indexing a photo again changes
 *  nothing. */
function faceIdOf(albumId: string, photoId: string, index: number): string {
  const bytes = createHash('sha1').update(`${albumId}/${photoId}/${index}`).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return uuidOf(bytes)
}
