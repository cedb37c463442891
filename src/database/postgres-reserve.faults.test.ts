import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../log.ts'
import { killAll } from '../testing/child-processes.ts'
import { mountSmallDisk, type SmallDisk } from '../testing/small-disk.ts'
import { createDb, type Db } from './client.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { processesOn } from './postgres-leftovers.ts'
import { reservePath } from './postgres-reserve.ts'

const RESERVE = 64 * 2 ** 20
const SOON = { timeout: 50_000, interval: 100 }

let disk: SmallDisk | undefined
let postgres: EmbeddedPostgres | undefined
let logged: string[]
beforeEach(async () => {
  logged = []
  disk = await mountSmallDisk(400)
})
afterEach(async () => {
  await postgres?.stop()
  postgres = undefined
  await disk?.remove()
})

const NO_MOUNT = 'this account may not mount a small disk'
const home = () => join(disk!.path, 'postgres')
const reserve = () => reservePath(home())

async function start(options: { bytes?: number; minimumFree?: number } = {}): Promise<EmbeddedPostgres> {
  const log = createLog('warn', { write: (line) => void logged.push(line) })
  postgres = await startEmbeddedPostgres({
    dataDir: disk!.path,
    log,
    durable: false,
    reserve: { bytes: RESERVE, minimumFree: 0, ...options },
  })
  return postgres
}

const untilReserved = () => vi.waitFor(async () => expect(await postgres!.reserve.isHeld()).toBe(true), SOON)

test('is really written, and stays when Postgres stops', async (context) => {
  if (!disk) return context.skip(NO_MOUNT)
  await start()
  await untilReserved()
  const { size, blocks } = await stat(reserve())
  expect([size, blocks * 512]).toEqual([RESERVE, RESERVE])
  await postgres!.stop()
  expect(existsSync(reserve())).toBe(true)
})

test('is not made on a disk that lacks room for it, and the log says so once', async (context) => {
  if (!disk) return context.skip(NO_MOUNT)
  await start({ minimumFree: 350e6 })
  await vi.waitFor(() => expect(logged).toHaveLength(1), SOON)
  expect(logged[0]).toContain('no room for the reserve')
  expect(existsSync(reserve())).toBe(false)
})

test('brings Postgres back when something fills the disk, and comes back when there is room', async (context) => {
  if (!disk) return context.skip(NO_MOUNT)
  const { address } = await start()
  await untilReserved()
  const db = createDb(address, () => {})
  await keepSeven(db)
  const empty = await disk.fill()
  killAll(await processesOn(join(home(), 'cluster')))
  const found = await vi.waitFor(() => sql`select n from kept`.execute(db), SOON)
  expect(found.rows).toEqual([{ n: 7 }])
  await writeSomeMegabytes(db)
  expect(existsSync(reserve())).toBe(false)
  expect(logged.join('')).toContain('Postgres got its reserve')
  await empty()
  await untilReserved()
  await db.destroy()
})

test('brings Postgres back at the start on a disk that is full', async (context) => {
  if (!disk) return context.skip(NO_MOUNT)
  await start()
  await untilReserved()
  await postgres!.stop()
  await disk.fill()
  await start()
  expect(existsSync(reserve())).toBe(false)
})

test('is given up while Postgres still runs, before it has to stop', async (context) => {
  if (!disk) return context.skip(NO_MOUNT)
  const { address } = await start()
  await untilReserved()
  await disk.fill()
  await vi.waitFor(() => expect(existsSync(reserve())).toBe(false), SOON)
  const db = createDb(address, () => {})
  // It may have stopped before it got the reserve.
  await vi.waitFor(() => writeSomeMegabytes(db), SOON)
  await db.destroy()
})

/** Committed for certain: otherwise this Postgres commits up to 0.6 s later, and a kill loses the table. */
const keepSeven = (db: Db) =>
  db.transaction().execute(async (trx) => {
    await sql`set local synchronous_commit = on`.execute(trx)
    await sql`create table kept as select 7 as n`.execute(trx)
  })

const writeSomeMegabytes = (db: Db) =>
  sql`create table if not exists written as select repeat(md5(n::text), 20) from generate_series(1, 10000) n`.execute(
    db,
  )
