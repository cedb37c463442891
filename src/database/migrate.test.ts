import { execFile } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createDb, type Db } from './client.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { migrateToLatest } from './migrate.ts'

const PROJECT = resolve(import.meta.dirname, '../..')
const FIRST = '0001-initial'

async function tablesOf(db: Db): Promise<string[]> {
  return (await db.introspection.getTables()).map((table) => table.name)
}

describe('an empty database', () => {
  let empty: TestDatabase
  beforeEach(async () => {
    empty = await createTestDatabase('template0')
  })
  afterEach(() => empty.drop())

  test('is migrated once by processes that start at the same time', async () => {
    const others = [1, 2].map(() => createDb(empty.address, () => {}))
    const applied = await Promise.all([empty.db, ...others].map(migrateToLatest))
    expect(applied.filter((names) => names.length > 0)).toEqual([expect.arrayContaining([FIRST])])
    expect(await tablesOf(empty.db)).toContain('faces')
    await Promise.all(others.map((db) => db.destroy()))
  })

  test('keeps no values of addresses in its statistics, which erasing would leave there', async () => {
    await migrateToLatest(empty.db)
    await sql`
      insert into albums (owner_key_hash, slug, display_name, email, password_cipher, settings)
      select decode(md5(n::text), 'hex'), 'party-' || n, 'Party', 'owner-' || n || '@example.com', 'x', '{}'
      from generate_series(1, 200) n`.execute(empty.db)
    await sql`analyze albums`.execute(empty.db)
    const { rows } = await sql<{ attname: string }>`
      select attname from pg_stats where tablename = 'albums'`.execute(empty.db)
    const columns = rows.map(({ attname }) => attname)
    expect(columns).toContain('slug')
    expect(columns).not.toContain('email')
  })

  test('stays as it was when a migration fails, and the error names the migration', async () => {
    // The first migration creates this table last, so many other changes have to be undone.
    await sql`create table audit_log (id text)`.execute(empty.db)
    await expect(migrateToLatest(empty.db)).rejects.toThrow(
      `Migration ${FIRST} failed: relation "audit_log" already exists`,
    )
    expect(await tablesOf(empty.db)).toEqual(['audit_log'])
  })
})

describe('npm run migrate', () => {
  async function migrate(env: Record<string, string>): Promise<string> {
    const run = promisify(execFile)(
      process.execPath,
      [join(PROJECT, 'node_modules/kysely-ctl/dist/bin.mjs'), 'migrate:latest', '--no-outdated-check'],
      { cwd: PROJECT, env: { PATH: process.env.PATH, ...env } },
    )
    return (await run).stdout
  }

  test('migrates the database that DATABASE_URL names', async () => {
    const { db, address, drop } = await createTestDatabase('template0')
    const url = `postgres://${address.user}@/${address.database}?host=${encodeURIComponent(address.host!)}`
    expect(await migrate({ DATABASE_URL: url, SECRET_KEY: 'k'.repeat(32) })).toContain(FIRST)
    expect(await tablesOf(db)).toContain('albums')
    await drop()
  })

  test('uses the embedded Postgres that is running, or starts it for as long as the command takes', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'inframe-migrate-'))
    expect(await migrate({ DATA_DIR: dataDir })).toMatch(/Ran \d+ migration/)
    expect(await findEmbeddedPostgres(dataDir)).toBeUndefined()

    const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('warn'), durable: false })
    expect(await migrate({ DATA_DIR: dataDir })).toContain('no new migrations')
    expect(await findEmbeddedPostgres(dataDir)).toEqual(postgres.address)
    await postgres.stop()
    await rm(await realpath(join(dataDir, 'postgres')), { recursive: true })
    await rm(dataDir, { recursive: true })
  })
})
