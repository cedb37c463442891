import { randomUUID } from 'node:crypto'
import type { Db } from '../../src/database/client.ts'
import { append, emptyAlbum, grow, numbersNear } from '../../src/faces/embedded/album-in-memory.ts'
import { descriptorOf } from '../../src/faces/embedded/descriptors.ts'
import { matchLimits } from '../../src/faces/embedded/matching/match-limits.ts'
import { distanceOfSimilarity } from '../../src/faces/embedded/matching/similarity.ts'
import { descriptorsAfter } from '../../src/faces/embedded/queries.ts'
import { createSearchThread } from '../../src/faces/embedded/search-thread.ts'
import { createLog } from '../../src/log.ts'
import { residentBytesOf } from '../../src/processes/process-figures.ts'
import { anotherPhotoOf, anybody, fillAlbum, newAlbum, preparePool } from './faces.ts'
import { count, msOf, printLines, timesOf, waits } from './report.ts'
import { createSite } from './service.ts'

/** Photos of the person who is searched. */
const MATCHES = 100

/** Searches large albums in Postgres, as the service does. The yardstick of the first search, which loads the album, is one
 *  ordinary query that reads the same rows. That of the next ones is a plain loop over arrays of numbers, which computes
 *  every distance completely and nothing else.
 *  @param sizes faces of each album */
export async function benchSearch(sizes: string[]): Promise<void> {
  const { db, databaseUrl } = await createSite()
  const person = anybody()
  await preparePool(db, person)
  for (const size of sizes.length > 0 ? sizes : ['50000', '460000'])
    await measure(db, databaseUrl, person, Number(size))
}

async function measure(db: Db, connectionString: string, person: Float32Array, size: number): Promise<void> {
  const albumId = await newAlbum(db, `Bench ${size}`)
  const faces = await fillAlbum(db, albumId, Math.round(size / 4.6), MATCHES)
  const limits = { maxBytes: 1e9 }
  const thread = createSearchThread({ address: { connectionString }, log: createLog('warn'), limits })
  const searchIn = (id: string) => {
    const selfies = [{ descriptor: anotherPhotoOf(person), strictness: 0 }]
    return thread.search([id], { selfies, confirmed: [], rejected: [] })
  }
  const search = async () => {
    const found = (await searchIn(albumId)).get(albumId)!.sure.length
    if (found < MATCHES - 1) throw new Error(`Found ${found} of ${MATCHES} faces.`)
  }
  // The thread starts with the first album, which has no faces.
  await searchIn(randomUUID())

  const before = residentBytesOf(process.pid)
  const first = await msOf(search)
  const loaded = residentBytesOf(process.pid) - before
  const next = await timesOf(60, search)
  await thread.close()
  const inMemory = emptyAlbum()
  grow(inMemory, faces)
  append(inMemory, (await descriptorsAfter(db, albumId, 0, faces))!)
  const comparing = await timesOf(60, async () =>
    numbersNear(inMemory, [anotherPhotoOf(person)], matchLimits(faces).reach),
  )
  let plain: number[][] = []
  const read = await msOf(async () => {
    plain = await readDescriptors(db, albumId)
  })
  const compared = await timesOf(20, async () => plainSearch(plain, [...anotherPhotoOf(person)]))
  printLines(`Searching an album of ${count(faces)} faces`, 'plain', [
    { what: 'the first search', measured: first, yardstick: read, unit: 'ms' },
    ...waits('the next ones', next, compared),
    ...waits('of which comparing', comparing, compared),
    { what: 'memory after the first search', measured: loaded / 1e6, unit: 'MB' },
  ])
}

/** An ordinary read of the album, in numbers of JavaScript. */
async function readDescriptors(db: Db, albumId: string): Promise<number[][]> {
  const rows = await db
    .selectFrom('faces')
    .select((eb) => ['id', 'photo_id', eb.ref('descriptor').$notNull().as('descriptor')])
    .where('album_id', '=', albumId)
    .execute()
  return rows.map(({ descriptor }) => [...descriptorOf(descriptor)])
}

function plainSearch(all: number[][], one: number[]): number {
  const limit = distanceOfSimilarity(80)
  let found = 0
  for (const other of all) {
    let sum = 0
    for (let i = 0; i < one.length; i++) sum += (one[i]! - other[i]!) ** 2
    if (Math.sqrt(sum) <= limit) found++
  }
  return found
}
