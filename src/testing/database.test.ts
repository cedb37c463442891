import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from './database.ts'

test('databases created at the same time are migrated, have the job tables, and share nothing', async () => {
  const databases = await Promise.all([1, 2, 3, 4].map(() => createTestDatabase()))
  const [first, ...others] = databases
  await first!.db
    .insertInto('albums')
    .values({
      owner_key_hash: Buffer.of(1),
      slug: 'party',
      display_name: 'Party',
      email: 'ann@example.com',
      password_cipher: Buffer.of(2),
    })
    .execute()
  for (const { db } of others) {
    expect(await db.selectFrom('albums').selectAll().execute()).toEqual([])
    expect((await sql`select version from pgboss.version`.execute(db)).rows).toHaveLength(1)
  }
  await Promise.all(databases.map((database) => database.drop()))
})

test('dropping a database closes its open connections', async () => {
  const { db, address, drop } = await createTestDatabase()
  await sql`select 1`.execute(db)
  await drop()
  const other = await createTestDatabase()
  const names = await sql<{ datname: string }>`select datname from pg_database`.execute(other.db)
  expect(names.rows.map((row) => row.datname)).not.toContain(address.database)
  await other.drop()
})
