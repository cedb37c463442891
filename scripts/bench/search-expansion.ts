import { createPool, type Db, dbOf } from '../../src/database/client.ts'
import { bestOfPhotos } from '../../src/faces/best-of-photos.ts'
import { createAlbumSearch } from '../../src/faces/embedded/album-search.ts'
import { createAlbumVectors } from '../../src/faces/embedded/album-vectors.ts'
import { facesOfAlbum } from '../../src/faces/embedded/matching/album-face-queries.ts'
import { measureNonMates } from '../../src/faces/embedded/matching/album-limits.ts'
import { distanceOf } from '../../src/faces/embedded/matching/query-embedding.ts'
import { distanceOfSimilarity, similarityOfDistance } from '../../src/faces/embedded/matching/similarity.ts'
import { statesOf } from '../../src/faces/embedded/queries.ts'
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

/** What query expansion, the limits that know the album, and confirmed faces add to a search of an album in memory. The
 *  yardstick is a plain search: one comparison with the selfie, one fixed limit, no quality. Both take turns, so whatever
 *  else the machine does slows both down. */
export async function benchSearchExpansion(db: Db, connectionString: string): Promise<void> {
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
  const pools = [1, 2].map(() => createPool({ connectionString }, () => {}))
  const stateOf = async () => (await statesOf(db, [albumId])).get(albumId)!
  await measureNonMates(db, albumId, await stateOf())
  const albums = createAlbumSearch(pools[0]!, { maxBytes: 1e9 })
  const vectors = createAlbumVectors(pools[1]!, { maxBytes: 1e9 })
  const limit = distanceOfSimilarity(THRESHOLD)
  const plainSearch = async (selfie: Float32Array) => {
    await stateOf()
    const near = [...(await vectors.near(albumId, [selfie], limit)).numbers]
    const faces = await facesOfAlbum(dbOf(pools[1]!), albumId, 'number', near)
    return bestOfPhotos(
      faces.map(({ faceId, photoId, descriptor }) => ({
        ...{ faceId, photoId, similarity: similarityOfDistance(distanceOf(descriptor, selfie)) },
      })),
    )
  }

  const find = async (selfie: Float32Array, confirmed: string[]) => {
    const person = { selfies: [{ descriptor: selfie, strictness: 0 }], confirmed, rejected: [] }
    return (await albums.search([albumId], person)).get(albumId)!.sure
  }
  const ways = {
    plain: plainSearch,
    'expansion and limits': (selfie: Float32Array) => find(selfie, []),
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
  await albums.close()
  vectors.close()
  await pools[1]!.end()
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
