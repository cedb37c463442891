import { sql } from 'kysely'
import { createPool, type Db, dbOf } from '../../src/database/client.ts'
import { bestOfPhotos } from '../../src/faces/best-of-photos.ts'
import { measureStrangers } from '../../src/faces/embedded/album-limits.ts'
import { createAlbumSearch } from '../../src/faces/embedded/album-search.ts'
import { createFaceCodes, type FaceCodes } from '../../src/faces/embedded/face-codes.ts'
import { createPostgresDescriptorReader } from '../../src/faces/embedded/postgres-descriptor-reader.ts'
import { distanceOfSimilarity, similarityOfDistance } from '../../src/faces/embedded/similarity.ts'
import { distanceOf } from '../../src/faces/embedded/template.ts'
import { figure, printTable } from './report.ts'
import { at, count } from './scale/lines.ts'
import { PHOTOS_OF_EACH, storeFaces } from './stored-faces.ts'
import { anotherPhotoOf, strangers, THRESHOLD } from './strangers.ts'

const SEARCHES = 60
const CONFIRMED = 3

/** The faces of an album, and by how many ms its search may be slower than the plain one. */
const SIZES = [
  { faces: 50_000, aim: 10 },
  { faces: 500_000, aim: 100 },
]

/** What the second hop, the limits that know the album, and confirmed faces add to a search of an album in memory. The
 *  yardstick is a plain search: one comparison with the selfie, one fixed limit, no quality. Both take turns, so whatever
 *  else the machine does slows both down. */
export async function benchSearchHop(db: Db, connectionString: string): Promise<void> {
  const rows: string[][] = []
  for (const { faces, aim } of SIZES) rows.push(...(await measure(db, connectionString, faces, aim)))
  console.log('Searching an album in memory, ms:')
  printTable(
    ['', 'lowest tenth', 'median', '− plain, lowest tenth', '− plain, median', '÷ plain, median', 'aim'],
    rows,
  )
}

async function measure(db: Db, connectionString: string, faces: number, aim: number): Promise<string[][]> {
  const people = strangers(faces / PHOTOS_OF_EACH)
  const albumId = await storeFaces(db, people)
  const pool = createPool({ connectionString }, () => {})
  const reader = createPostgresDescriptorReader(pool)
  const stateOf = async () => (await reader.states([albumId])).get(albumId)!
  await measureStrangers(reader, albumId, await stateOf())
  const albums = createAlbumSearch(reader, { maxBytes: 1e9 })
  const codes = createFaceCodes()
  await reader.load(albumId, { after: 0, upTo: (await stateOf()).revision }, (chunk) => codes.add(chunk))

  const find = async (selfie: Float32Array, confirmed: string[]) => {
    const person = { selfies: [{ descriptor: selfie, strictness: 0 }], confirmed, rejected: [] }
    return (await albums.search([albumId], person)).get(albumId)!.sure
  }
  const ways = {
    plain: async (selfie: Float32Array) => {
      await stateOf()
      return await plainSearch(dbOf(pool), codes, selfie)
    },
    'second hop and limits': (selfie: Float32Array) => find(selfie, []),
    [`… and ${CONFIRMED} confirmed faces`]: find,
  }
  const times = new Map(Object.keys(ways).map((way) => [way, [] as number[]]))
  for (let search = 0; search < SEARCHES; search++) {
    const selfie = anotherPhotoOf(people[(search * 7919) % people.length]!)
    const confirmed = (await find(selfie, [])).slice(-CONFIRMED).map(({ faceId }) => faceId)
    for (const [way, work] of Object.entries(ways)) {
      const begin = performance.now()
      const found = await work(selfie, confirmed)
      times.get(way)!.push(performance.now() - begin)
      if (found.length < PHOTOS_OF_EACH / 2) throw new Error(`${way}: found ${found.length} photos.`)
    }
  }
  codes.clear()
  await albums.close()
  const [plain] = [...times.values()]
  return [...times].map(([way, ms]) => [
    `${count(faces)} faces: ${way}`,
    ...[0.1, 0.5].map((share) => at(ms, share).toFixed(1)),
    ...(ms === plain
      ? ['', '', '']
      : [
          ...[0.1, 0.5].map((share) => (at(ms, share) - at(plain!, share)).toFixed(1)),
          figure(at(ms, 0.5) / at(plain!, 0.5)),
          `under ${aim}`,
        ]),
  ])
}

async function plainSearch(db: Db, codes: FaceCodes, selfie: Float32Array) {
  const limit = distanceOfSimilarity(THRESHOLD)
  const rows = await db
    .selectFrom('face_descriptors')
    .select(['face_id', 'photo_id', 'descriptor'])
    .where('face_id', '=', sql<string>`any(${codes.near([selfie], limit)}::uuid[])`)
    .execute()
  return bestOfPhotos(
    rows.flatMap(({ face_id, photo_id, descriptor }) => {
      const distance = distanceOf(new Float32Array(new Uint8Array(descriptor).buffer), selfie)
      if (distance > limit) return []
      return [{ faceId: face_id, photoId: photo_id, similarity: similarityOfDistance(distance) }]
    }),
  )
}
