import { limitsOfAlbum, measureStrangers } from '../../../src/faces/embedded/album-limits.ts'
import { type AlbumSearch, createAlbumSearch } from '../../../src/faces/embedded/album-search.ts'
import type { AlbumFace } from '../../../src/faces/embedded/find-person.ts'
import type { MatchLimits } from '../../../src/faces/embedded/match-limits.ts'
import type { FaceMatch, FoundPerson } from '../../../src/faces/face-index.ts'
import { createMemoryDescriptorStore } from '../../../src/testing/memory-descriptor-store.ts'
import type { Picture, Search } from './trials.ts'

const ALBUM = 'album'

/** All pictures as one album of the service. */
export interface SearchedAlbum {
  limits: MatchLimits
  /** Searches it by a picture, as the service does. The picture itself is not found.
   *  @param shown which of the photos count
   *  @param threshold see AlbumSearch */
  searchFor(shown: (found: FoundPerson) => FaceMatch[], threshold?: number): Search<AlbumFace>
  /** The names of the pictures that surely show the person of these pictures, without these. */
  surelyBy(selfies: readonly Picture<AlbumFace>[]): Promise<ReadonlySet<string>>
  close(): Promise<void>
}

export async function searchedAlbumOf(pictures: readonly Picture<AlbumFace>[]): Promise<SearchedAlbum> {
  const store = createMemoryDescriptorStore()
  await store.createCollection(ALBUM)
  for (const { name, faces } of pictures) await store.savePhoto(ALBUM, name, faces)
  const strictness = new Map(
    pictures.flatMap(({ faces }) => faces).map((face) => [face.faceId, face.strictness]),
  )
  const judged = (faces: AlbumFace[]) =>
    faces.map((face) => ({ ...face, strictness: strictness.get(face.faceId)! }))
  const reader = {
    ...store,
    facesOf: async (albumId: string, faceIds: string[]) => judged(await store.facesOf(albumId, faceIds)),
    facesTogether: async (albumId: string) => judged(await store.facesTogether(albumId)),
  }
  const stateOf = async () => (await reader.states([ALBUM])).get(ALBUM)!
  await measureStrangers(reader, ALBUM, await stateOf())
  const albums: AlbumSearch = createAlbumSearch(reader, { maxBytes: 1e9 })
  return {
    limits: limitsOfAlbum(await stateOf()),
    searchFor: (shown, threshold) => async (selfie) => {
      const rejected = selfie.faces.map(({ faceId }) => faceId)
      const person = { selfies: [selfie.faces[0]!], confirmed: [], rejected }
      const found = (await albums.search([ALBUM], person, threshold)).get(ALBUM)!
      return new Set(shown(found).map(({ photoId }) => photoId))
    },
    async surelyBy(selfies) {
      const person = {
        selfies: selfies.map(({ faces }) => faces[0]!),
        confirmed: [],
        rejected: selfies.flatMap(({ faces }) => faces.map(({ faceId }) => faceId)),
      }
      const found = (await albums.search([ALBUM], person)).get(ALBUM)!
      return new Set(found.sure.map(({ photoId }) => photoId))
    },
    close: () => albums.close(),
  }
}
