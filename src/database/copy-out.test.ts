import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createPool } from './client.ts'
import { copyOut } from './copy-out.ts'

let database: TestDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await createTestDatabase()
  pool = createPool(database.address, () => undefined, 1)
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

const numbers = (count: number) =>
  sql`(select decode(lpad(to_hex(n), 8, '0'), 'hex') from generate_series(1, ${sql.lit(count)}) n)`

test('gives every row once and in order, with bytes of any value', async () => {
  const rows = await bytesOf(numbers(70_000))
  expect(rows.map((row) => row.readUInt32BE())).toEqual(
    Array.from({ length: 70_000 }, (_, index) => index + 1),
  )
})

test('gives nothing when there are no rows', async () => {
  expect(await bytesOf(numbers(0))).toEqual([])
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
