import { createDb, createPool, type Db } from '../../src/database/client.ts'
import { migrateToLatest } from '../../src/database/migrate.ts'
import { createAlbumVectors } from '../../src/faces/embedded/album-vectors.ts'
import { descriptorOf } from '../../src/faces/embedded/descriptors.ts'
import { distanceOfSimilarity } from '../../src/faces/embedded/matching/similarity.ts'
import { undoLater } from './cleanup.ts'
import { benchSearchAlbum } from './search-album.ts'
import { makeDataFolder, startPostgres } from './server-process.ts'
import { PHOTOS_OF_EACH, storeFaces } from './stored-faces.ts'
import { anotherPhotoOf, strangers, THRESHOLD } from './strangers.ts'

const PEOPLE = 500
const FACES = PEOPLE * PHOTOS_OF_EACH
const SEARCHES = 300
const PLAIN_SEARCHES = 60

/** Measures how many ms it takes to find one face among 50,000 in memory. The yardstick is a plain loop over arrays of
 *  numbers that computes every distance completely. Both take turns, and ours must find every face of the yardstick.
 *  Then albums in Postgres are searched. */
export async function benchSearchFaces(): Promise<void> {
  const connectionString = await startPostgres(await makeDataFolder())
  const db = createDb({ connectionString }, () => {})
  undoLater(() => db.destroy())
  await migrateToLatest(db)
  await benchComparison(db, connectionString)
  console.log()
  await benchSearchAlbum(db, connectionString)
}

async function benchComparison(db: Db, connectionString: string): Promise<void> {
  const people = strangers(PEOPLE)
  const albumId = await storeFaces(db, people)
  const pool = createPool({ connectionString }, () => {})
  const vectors = createAlbumVectors(pool, { maxBytes: 1e9 })
  const stored = await db
    .selectFrom('faces')
    .select((eb) => eb.ref('descriptor').$notNull().as('descriptor'))
    .where('album_id', '=', albumId)
    .execute()
  const plain = stored.map(({ descriptor }) => [...descriptorOf(descriptor)])
  await vectors.load(albumId)

  const limit = distanceOfSimilarity(THRESHOLD)
  const ours: number[] = []
  const theirs: number[] = []
  for (let search = 0; search < SEARCHES; search++) {
    const probe = anotherPhotoOf(people[(search * 7919) % PEOPLE]!)
    const found = await timed(ours, async () => (await vectors.near(albumId, [probe], limit)).count)
    if (search >= PLAIN_SEARCHES) continue
    const expected = await timed(theirs, async () => plainSearch(plain, [...probe], limit).length)
    if (found < expected) throw new Error(`Found ${found} faces, the plain loop ${expected}.`)
  }
  vectors.close()
  await pool.end()
  console.log(`Comparing one face with ${FACES} in memory, and asking Postgres for new ones, ms:`)
  console.log(`  ours          median ${at(ours, 0.5)}  p99 ${at(ours, 0.99)}   aim: under 10`)
  console.log(`  plain loop    median ${at(theirs, 0.5)}  p99 ${at(theirs, 0.99)}`)
}

function plainSearch(all: number[][], one: number[], limit: number): number[] {
  const found: number[] = []
  for (const [index, other] of all.entries()) {
    let sum = 0
    for (let i = 0; i < one.length; i++) sum += (one[i]! - other[i]!) ** 2
    if (Math.sqrt(sum) <= limit) found.push(index)
  }
  return found
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  times.push(performance.now() - start)
  return result
}

function at(times: number[], part: number): string {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!.toFixed(1).padStart(6)
}

if (import.meta.main) await benchSearchFaces()
