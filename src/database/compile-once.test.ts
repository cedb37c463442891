import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import type { Db } from './client.ts'
import { compileOnce } from './compile-once.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

test('a query that is built once answers for each value', async () => {
  let builds = 0
  const echo = compileOnce((db: Db, value: string) => {
    builds++
    return db.selectNoFrom([
      sql<string>`${value}::text`.as('value'),
      sql<string>`${'same'}::text`.as('constant'),
      sql<string>`upper(${value})`.as('again'),
    ])
  })
  const asked = ['first', 'second', '']
  expect(await Promise.all(asked.map((value) => echo(database.db, value)))).toEqual(
    asked.map((value) => [{ value, constant: 'same', again: value.toUpperCase() }]),
  )
  expect(builds).toBe(1)
})
