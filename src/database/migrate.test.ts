import { execFile } from 'node:child_process'
import fs, { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path, { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createDb, type Db } from './client.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { MIGRATIONS_FOLDER, migrateToLatest } from './migrate.ts'

const PROJECT = resolve(import.meta.dirname, '../..')
const FIRST = '0001-albums-photos-faces'

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
    expect(await tablesOf(empty.db)).toContain('face_descriptors')
    await Promise.all(others.map((db) => db.destroy()))
  })

  test('stays as it was when a migration fails, and the error names the migration', async () => {
    // The first migration creates this table last, so many other changes have to be undone.
    await sql`create table face_descriptors (id text)`.execute(empty.db)
    await expect(migrateToLatest(empty.db)).rejects.toThrow(
      `Migration ${FIRST} failed: relation "face_descriptors" already exists`,
    )
    expect(await tablesOf(empty.db)).toEqual(['face_descriptors'])
  })
})

describe('the migration to more than one face engine', () => {
  test('records for every photo which engine has its faces', async () => {
    const { db, drop } = await createTestDatabase('template0')
    const migrator = new Migrator({
      db,
      provider: new FileMigrationProvider({ fs, path, migrationFolder: MIGRATIONS_FOLDER }),
    })
    await migrator.migrateTo('0006-request-rates')
    await sql`
      insert into albums (id, owner_key_hash, slug, display_name, email, password_cipher)
        select id::uuid, slug::bytea, slug, '', '', '' from (values
          ('00000000-0000-0000-0000-000000000001', 'here'), ('00000000-0000-0000-0000-000000000002', 'cloud'),
          ('00000000-0000-0000-0000-000000000003', 'empty')) as given (id, slug);
      insert into face_collections values ('00000000-0000-0000-0000-000000000001', 1, 1);
      insert into photos (album_id, sha256, filename, media_type, size, width, height, state)
        select albums.id, filename::bytea, slug || ' ' || state, 'image/jpeg', 1, 1, 1, state
        from albums, (values ('stored', '1'), ('indexed', '2'), ('given_up', '3')) as given (state, filename)
        where slug <> 'empty'`.execute(db)
    await migrateToLatest(db)
    const photos = await db
      .selectFrom('photos')
      .select(['filename', 'engine', 'refused_by'])
      .orderBy('filename')
      .execute()
    expect(photos.map((photo) => Object.values(photo))).toEqual([
      ['cloud given_up', null, 'rekognition'],
      ['cloud indexed', 'rekognition', null],
      ['cloud stored', null, null],
      ['here given_up', null, 'embedded'],
      ['here indexed', 'embedded', null],
      ['here stored', null, null],
    ])
    const engines = await db.selectFrom('album_engines').select('engine').orderBy('album_id').execute()
    expect(engines.map(({ engine }) => engine)).toEqual(['embedded', 'rekognition'])
    await drop()
  })
})

describe('the way back from several alerts that wait for one address', () => {
  test('keeps the newest of them, and the confirmed one', async () => {
    const { db, drop } = await createTestDatabase('template0')
    const migrator = new Migrator({
      db,
      provider: new FileMigrationProvider({ fs, path, migrationFolder: MIGRATIONS_FOLDER }),
    })
    await migrator.migrateTo('0036-letter-budgets-and-addresses')
    await sql`
      insert into albums (id, owner_key_hash, slug, display_name, email, password_cipher)
        values ('00000000-0000-0000-0000-000000000001', '', 'party', '', '', '');
      insert into photo_alerts (id, album_id, address_hash, sealed, consent_version, looked_until, letter_ids, ends_at,
          created_at, confirmed_at)
        select gen_random_uuid(), albums.id, address::bytea, what::bytea, 1, now(), '{}', now(), now() - age, confirmed
        from albums, (values
          ('one', 'confirmed', interval '3 hours', now()), ('one', 'older', interval '2 hours', null),
          ('one', 'newest', interval '0', null), ('one', 'middle', interval '1 hour', null),
          ('other', 'only', interval '2 hours', null)) as given (address, what, age, confirmed)`.execute(db)
    const { error } = await migrator.migrateTo('0035-opt-outs')
    expect(error).toBeUndefined()
    const left = await db.selectFrom('photo_alerts').select('sealed').orderBy('created_at').execute()
    expect(left.map(({ sealed }) => sealed.toString())).toEqual(['confirmed', 'only', 'newest'])
    await drop()
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
