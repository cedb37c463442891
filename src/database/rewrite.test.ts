import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { waitUntil } from '../testing/wait.ts'
import { createDb } from './client.ts'
import { rewriteTable, sizeOfTable, TABLES_WRITTEN_AGAIN } from './rewrite-queries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

async function fileOf(table: string): Promise<string> {
  const { rows } = await sql<{ file: string }>`
    select pg_relation_filepath(${table}::regclass) as file`.execute(database.db)
  return rows[0]!.file
}

test('a table is written again into another file', async () => {
  for (const table of TABLES_WRITTEN_AGAIN) {
    const former = await fileOf(table)
    await rewriteTable(database.db, table)
    expect(await fileOf(table)).not.toBe(former)
    expect(await sizeOfTable(database.db, table)).toBeGreaterThan(0)
  }
})

test('a table is written again only when no transaction can see the erased rows any more', async () => {
  const former = await fileOf('faces')
  let rewriting: Promise<void> | undefined
  // With connections of its own, whose last question stays visible.
  const job = createDb(database.address, () => {}, 1)
  await database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (reader) => {
      // A transaction with a number of its own is certainly older than what begins later.
      await sql`select pg_current_xact_id()`.execute(reader)
      rewriting = rewriteTable(job, 'faces')
      await waitUntil('the question for older transactions', async () => {
        const { rows: asked } = await sql`
          select from pg_stat_activity
          where datname = current_database() and query like '%from pg_stat_activity%backend_xmin%'
            and pid <> pg_backend_pid()`.execute(database.db)
        return asked.length > 0
      })
      expect(await fileOf('faces')).toBe(former)
    })
  await rewriting
  await job.destroy()
  expect(await fileOf('faces')).not.toBe(former)
})

test('Postgres keeps no values of faces and addresses in its statistics', async () => {
  await sql`
    insert into albums (owner_key_hash, slug, display_name, email, password_cipher)
    select decode(md5(n::text), 'hex'), 'party-' || n, 'Party', 'owner-' || n || '@example.com', 'x'
    from generate_series(1, 200) n`.execute(database.db)
  await sql`analyze albums`.execute(database.db)
  const { rows } = await sql<{ attname: string }>`
    select attname from pg_stats where tablename = 'albums'`.execute(database.db)
  const columns = rows.map(({ attname }) => attname)
  expect(columns).toContain('slug')
  expect(columns).not.toContain('email')
})
