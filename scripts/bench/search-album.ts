import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../src/database/client.ts'
import { createSearchThread } from '../../src/faces/embedded/search-thread.ts'
import { createLog } from '../../src/log.ts'
import { residentBytesOf } from '../../src/processes/process-figures.ts'
import { undoLater } from './cleanup.ts'
import { figure, printTable } from './report.ts'
import { FACES_OF_PHOTO, PHOTOS_OF_EACH, storeFaces } from './stored-faces.ts'
import { anotherPhotoOf, strangers } from './strangers.ts'

const PEOPLE = 4_600
const FACES = PEOPLE * PHOTOS_OF_EACH
const WARM_SEARCHES = 20
const PAUSE_MS = 2_000

/** Searches an album of 450,000 faces in Postgres. The yardstick of the first search is one ordinary query that reads the
 *  same rows. */
export async function benchSearchAlbum(db: Db, connectionString: string): Promise<void> {
  const people = strangers(PEOPLE)
  const albumId = await storeFaces(db, people)
  const thread = createSearchThread({
    address: { connectionString },
    log: createLog('warn'),
    limits: { maxBytes: 1e9 },
  })
  undoLater(() => thread.close())
  const search = async () => {
    const found = await thread.search([albumId], personLike(anotherPhotoOf(people[7]!)))
    const count = found.get(albumId)!.sure.length
    if (count < PHOTOS_OF_EACH - 1) throw new Error(`Found ${count} of ${PHOTOS_OF_EACH} faces.`)
  }
  const searchNothing = () => thread.search([randomUUID()], personLike(people[0]!))
  await searchNothing()

  const before = memory()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await pause(PAUSE_MS)
  const idlePause = delay.max
  delay.reset()
  const first = await msOf(search)
  const loaded = memory() - before
  const warm: number[] = []
  for (let times = 0; times < WARM_SEARCHES; times++) warm.push(await msOf(search))
  await removeOnePhoto(db, albumId)
  // The thread hears of it and drops the album.
  await pause(PAUSE_MS)
  const afterRemoval = await msOf(search)
  delay.disable()
  await thread.close()
  const left = memory() - before
  const read = await msOf(() => ordinaryRead(db, albumId))

  console.log(`Searching an album of ${FACES} faces in Postgres:`)
  printTable(
    ['', 'measured', '÷ ordinary read'],
    [
      ['ordinary read of the album, ms', figure(read), '1'],
      ['first search, ms (aim: under 1,500)', figure(first), figure(first / read)],
      [
        'next search, median ms (aim: under 200)',
        figure(warm.toSorted((a, b) => a - b)[WARM_SEARCHES / 2]!),
        '',
      ],
      ['search after a removal, ms', figure(afterRemoval), figure(afterRemoval / read)],
      ['longest pause of the thread that answers, ms', figure(delay.max / 1e6), ''],
      ['… in two seconds without a search', figure(idlePause / 1e6), ''],
      ['memory after the first search, MB', figure(loaded), ''],
      ['… when the thread has ended, MB', figure(left), ''],
    ],
  )
}

const memory = () => residentBytesOf(process.pid) / 1e6

const personLike = (descriptor: Float32Array) => ({
  selfies: [{ descriptor, strictness: 0 }],
  confirmed: [],
  rejected: [],
})

async function ordinaryRead(db: Db, albumId: string): Promise<void> {
  const rows = await db
    .selectFrom('faces')
    .select(['id', 'photo_id', 'descriptor'])
    .where('album_id', '=', albumId)
    .execute()
  if (rows.length < FACES - FACES_OF_PHOTO) throw new Error(`Read ${rows.length} of ${FACES} faces.`)
}

async function removeOnePhoto(db: Db, albumId: string): Promise<void> {
  const { photo_id } = await db
    .selectFrom('faces')
    .select('photo_id')
    .where('album_id', '=', albumId)
    .limit(1)
    .executeTakeFirstOrThrow()
  await db.deleteFrom('photos').where('id', '=', photo_id).execute()
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
