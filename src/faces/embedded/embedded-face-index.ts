import { createHash } from 'node:crypto'
import type { Db } from '../../database/client.ts'
import { uuidOf } from '../../database/uuid.ts'
import { engineDown } from '../errors.ts'
import type { FaceIndex } from '../face-index.ts'
import type { AlbumSearch } from './album-search.ts'
import { bytesOf } from './descriptors.ts'
import { facesOfAlbum } from './matching/album-face-queries.ts'
import { createNonMatesMeter, limitsOfAlbum } from './matching/album-limits.ts'
import { packQuery, unpackQuery } from './matching/query-embedding.ts'
import { seenIn } from './matching/seen-selfies.ts'
import { personAsBytes, recognise } from './matching/unwanted-people.ts'
import type { FaceWorkers } from './networks/face-workers.ts'
import { countFaces, deleteDescriptors, statesOf } from './queries.ts'

export interface EmbeddedFaceIndexOptions {
  db: Db
  /** Searches what is in the same database. Closed with the index. */
  albums: AlbumSearch
  /** Closed with the index. */
  workers: FaceWorkers
}

/** Inframe's own face index: networks in processes of their own, searches in memory. An album's collection is its rows in
 *  the table `faces` that have a descriptor. Who records the faces of a photo adds them; who deletes their rows, or calls
 *  this, removes them. */
export function createEmbeddedFaceIndex({ db, albums, workers }: EmbeddedFaceIndexOptions): FaceIndex {
  const keepMeasured = createNonMatesMeter(db)

  return {
    engine: 'embedded',
    async createCollection() {},

    async indexPhoto(albumId, photoId, photo, { without = [] } = {}) {
      const described = await workers.describePhoto(await photo.read(), {
        withPreview: photo.keepPreview !== undefined,
      })
      const state = (await statesOf(db, [albumId])).get(albumId) ?? { faces: 0 }
      const unwanted = recognise(described.faces, without, limitsOfAlbum(state))
      // The ids come first, so that a face has the same one also when another person is left out later.
      const all = described.faces.map((face, index) => ({
        ...face,
        faceId: faceIdOf(albumId, photoId, index),
        descriptor: bytesOf(face.descriptor),
      }))
      const faces = all.filter((_, index) => !unwanted.has(described.faces[index]!))
      // So that the first search of the album finds its limits. The first photos do not count yet.
      if (state.faces > 0) await keepMeasured(albumId, state)
      if (described.preview) await photo.keepPreview?.(described.preview)
      return {
        faces,
        unindexed: described.unindexed,
        ...(unwanted.size > 0 && {
          leftOut: [...unwanted].map(([{ box }, person]) => ({ box, person })),
        }),
      }
    },

    async search(albumIds, person, threshold) {
      const { selfies: pictures, evidence, confirmed = [], rejected = [], amongChildren } = person
      // They load while the selfies are described.
      albums.prepare(albumIds)
      const { queries: selfies, seen } = seenIn(
        await Promise.all(pictures.map(({ image, face }) => workers.describeSelfie(image, face))),
        evidence && unpackQuery(evidence),
      )
      const found = await albums.search(albumIds, { selfies, confirmed, rejected, amongChildren }, threshold)
      return { found, selfies: seen, evidence: packQuery(selfies) }
    },

    prepare: (albumIds) => albums.prepare(albumIds),

    removeFaces: (albumId, faceIds) => deleteDescriptors(db, albumId, { of: 'id', values: faceIds }),

    async describePerson(albumId, faceIds) {
      const faces = await facesOfAlbum(db, albumId, 'id', faceIds)
      return faces.length > 0 ? personAsBytes(faces.map(({ descriptor }) => descriptor)) : undefined
    },

    removePhotos: (albumId, photoIds) => deleteDescriptors(db, albumId, { of: 'photo_id', values: photoIds }),

    deleteCollection: (albumId) => deleteDescriptors(db, albumId),

    countFaces: (albumId) => countFaces(db, albumId),

    async check() {
      if (workers.isDown()) throw engineDown()
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
