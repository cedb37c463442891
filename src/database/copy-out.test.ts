import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createPool, type Db, dbOf } from './client.ts'
import { copyOut } from './copy-out.ts'

let database: TestDatabase
let pool: pg.Pool
/** On the only connection of the pool. */
let db: Db

beforeAll(async () => {
  database = await createTestDatabase()
  pool = createPool(database.address, () => undefined, 1)
  db = dbOf(pool)
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

/** The only column of each row, as bytes. */
async function bytesOf(query: Parameters<typeof copyOut>[1]): Promise<Buffer[]> {
  const read: Buffer[] = []
  await copyOut(pool, query, (row) => {
    expect(row.readInt16BE()).toBe(1)
    read.push(Buffer.from(row.subarray(6, 6 + row.readInt32BE(2))))
  })
  return read
}

/** How often the only connection has read a whole table. */
async function readsOfAllRows(table: string): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ scans: string }>`
    select seq_scan as scans from pg_stat_user_tables where relname = ${table}`.execute(db)
  return Number(rows[0]!.scans)
}

const numbers = (count: number) =>
  sql`(select decode(lpad(to_hex(n), 8, '0'), 'hex') from generate_series(1, ${sql.lit(count)}) n)`

test('gives every row once and in order, with bytes of any value', async () => {
  const rows = await bytesOf(numbers(70_000))
  expect(rows.map((row) => row.readUInt32BE())).toEqual(
    Array.from({ length: 70_000 }, (_, index) => index + 1),
  )
})

test('passes on an error of the reader, and the pool goes on', async () => {
  let rows = 0
  const reading = copyOut(pool, numbers(5_000), () => {
    rows++
    throw new Error('no memory')
  })
  await expect(reading).rejects.toThrow('no memory')
  expect(rows).toBe(1)
  expect(await bytesOf(numbers(1))).toHaveLength(1)
})

test('passes on an error of the database and the loss of the connection, and the pool goes on', async () => {
  await expect(bytesOf(sql`(select 1 / (n - 900) from generate_series(1, 1000) n)`)).rejects.toThrow(
    'division by zero',
  )
  const ending = bytesOf(sql`(select pg_terminate_backend(pg_backend_pid()) from generate_series(1, 9))`)
  await expect(ending).rejects.toThrow()
  expect(await bytesOf(numbers(2))).toHaveLength(2)
})

test('follows an index that has the order of the query, also when Postgres would rather sort a whole table', async () => {
  await sql`create table measured (place int, at int, bytes bytea, primary key (place, at))`.execute(db)
  await sql`
    insert into measured
    select n % 2, n, decode(repeat(md5(n::text), 32), 'hex') from generate_series(1, 5000) n order by random()`.execute(
    db,
  )
  await sql`analyze measured`.execute(db)
  const ofPlace = sql`(select bytes from measured where place = 1 and at > 0 order by place, at)`
  const { rows: plan } = await sql`explain ${ofPlace}`.execute(db)
  expect(JSON.stringify(plan)).toMatch(/Sort.*Seq Scan/)

  const before = await readsOfAllRows('measured')
  expect(await bytesOf(ofPlace)).toHaveLength(2_500)
  expect(await readsOfAllRows('measured')).toBe(before)
})
