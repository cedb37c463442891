import { createDb } from '../../src/database/client.ts'
import { migrateToLatest } from '../../src/database/migrate.ts'
import { createFaceCodes } from '../../src/faces/embedded/face-codes.ts'
import { distanceOfSimilarity } from '../../src/faces/embedded/similarity.ts'
import { undoLater } from './cleanup.ts'
import { benchSearchAlbum } from './search-album.ts'
import { benchSearchHop } from './search-hop.ts'
import { makeDataFolder, startPostgres } from './server-process.ts'
import { anotherPhotoOf, strangers, THRESHOLD } from './strangers.ts'

const FACES = 50_000
const SEARCHES = 300
const PLAIN_SEARCHES = 60

/** Measures how many ms it takes to find one face among 50,000 in memory. The yardstick is a plain loop over arrays of
 *  numbers that computes every distance completely. Both take turns, and ours must find every face of the yardstick.
 *  Then albums in Postgres are searched. */
export async function benchSearchFaces(): Promise<void> {
  const descriptors = strangers(FACES)
  const plain = descriptors.map((descriptor) => [...descriptor])
  const codes = createFaceCodes()
  for (const descriptor of descriptors)
    codes.add({ count: 1, faceIds: new Uint8Array(16), descriptors: descriptor })

  const limit = distanceOfSimilarity(THRESHOLD)
  const ours: number[] = []
  const theirs: number[] = []
  for (let search = 0; search < SEARCHES; search++) {
    const probe = anotherPhotoOf(descriptors[(search * 7919) % FACES]!)
    const found = timed(ours, () => codes.near([probe], limit).length)
    if (search >= PLAIN_SEARCHES) continue
    const expected = timed(theirs, () => plainSearch(plain, [...probe], limit).length)
    if (found < expected) throw new Error(`Found ${found} faces, the plain loop ${expected}.`)
  }
  console.log(`Comparing one face with ${FACES} in memory, ms:`)
  console.log(`  ours          median ${at(ours, 0.5)}  p99 ${at(ours, 0.99)}   aim: under 20`)
  console.log(`  plain loop    median ${at(theirs, 0.5)}  p99 ${at(theirs, 0.99)}`)
  console.log()
  const connectionString = await startPostgres(await makeDataFolder())
  const db = createDb({ connectionString }, () => {})
  undoLater(() => db.destroy())
  await migrateToLatest(db)
  await benchSearchAlbum(db, connectionString)
  console.log()
  await benchSearchHop(db, connectionString)
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

function timed<T>(times: number[], work: () => T): T {
  const start = performance.now()
  const result = work()
  times.push(performance.now() - start)
  return result
}

function at(times: number[], part: number): string {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!.toFixed(1).padStart(6)
}

if (import.meta.main) await benchSearchFaces()
