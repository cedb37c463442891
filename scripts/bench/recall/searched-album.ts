import { createPool, type Db, dbOf } from '../../../src/database/client.ts'
import { migrateToLatest } from '../../../src/database/migrate.ts'
import { createAlbumSearch } from '../../../src/faces/embedded/album-search.ts'
import { bytesOf } from '../../../src/faces/embedded/descriptors.ts'
import { limitsOfAlbum, measureNonMates } from '../../../src/faces/embedded/matching/album-limits.ts'
import type { AlbumFace } from '../../../src/faces/embedded/matching/find-person.ts'
import type { MatchLimits } from '../../../src/faces/embedded/matching/match-limits.ts'
import { statesOf } from '../../../src/faces/embedded/queries.ts'
import type { FaceMatch, FoundPerson } from '../../../src/faces/face-index.ts'
import { insertIndexedPhotos } from '../../../src/testing/indexed-photos.ts'
import { makeDataFolder, startPostgres } from '../server-process.ts'
import { newAlbum } from '../stored-faces.ts'
import type { Picture, Search } from './trials.ts'

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
  const pool = createPool({ connectionString: await startPostgres(await makeDataFolder()) }, () => {})
  const db = dbOf(pool)
  await migrateToLatest(db)
  const albumId = await newAlbum(db, 'Recall')
  const nameOf = await store(db, albumId, pictures)
  const stateOf = async () => (await statesOf(db, [albumId])).get(albumId)!
  await measureNonMates(db, albumId, await stateOf())
  const albums = createAlbumSearch(pool, { maxBytes: 1e9 })
  const namesOf = (matches: FaceMatch[]) => new Set(matches.map(({ photoId }) => nameOf.get(photoId)!))
  const find = async (selfies: readonly Picture<AlbumFace>[], threshold?: number) => {
    const person = {
      selfies: selfies.map(({ faces }) => faces[0]!),
      confirmed: [],
      rejected: selfies.flatMap(({ faces }) => faces.map(({ faceId }) => faceId)),
    }
    return (await albums.search([albumId], person, threshold)).get(albumId)!
  }
  return {
    limits: limitsOfAlbum(await stateOf()),
    searchFor: (shown, threshold) => async (selfie) => namesOf(shown(await find([selfie], threshold))),
    surelyBy: async (selfies) => namesOf((await find(selfies)).sure),
    close: () => albums.close(),
  }
}

/** Stores the pictures as photos of an album. A face that is poor is stored as a blurred one.
 *  @returns the names of the photos by their ids */
async function store(
  db: Db,
  albumId: string,
  pictures: readonly Picture<AlbumFace>[],
): Promise<Map<string, string>> {
  const photoIds = await insertIndexedPhotos(db, albumId, pictures.length)
  const quality = { brightness: 50, yaw: 0, pitch: 0, roll: 0 }
  // The larger face has the larger box.
  const boxOf = (place: number) => ({ box_left: 0, box_top: 0, box_width: 1 - place / 1_000, box_height: 1 })
  for (const [number, { faces }] of pictures.entries()) {
    const ids = { album_id: albumId, photo_id: photoIds[number]! }
    await db.updateTable('photos').set({ face_count: faces.length }).where('id', '=', ids.photo_id).execute()
    await db
      .insertInto('faces')
      .values(
        faces.map(({ faceId, descriptor, strictness }, place) => ({
          ...{ id: faceId, ...ids, ...boxOf(place), confidence: 99, ...quality },
          sharpness: strictness > 0 ? 0 : 90,
          descriptor: bytesOf(descriptor),
        })),
      )
      .execute()
  }
  return new Map(photoIds.map((id, number) => [id, pictures[number]!.name]))
}
