import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createDb } from '../src/database/client.ts'
import { databaseUrl } from '../src/testing/database.ts'
import { albumCommand } from './album.ts'
import { setupLinkCommand } from './setup-link.ts'

async function place(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'inframe-nothing-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

async function expectRefusal(env: Record<string, string>, message: RegExp): Promise<void> {
  for (const args of [['list'], ['invite'], ['show', 'party']])
    await expect(albumCommand(args, env, () => {})).rejects.toThrow(message)
  await expect(setupLinkCommand(env, () => {})).rejects.toThrow(message)
}

test('commands make no new installation in a folder without data', async () => {
  const missing = join(await place(), 'no', 'such')
  await expectRefusal({ DATA_DIR: missing }, /^DATA_DIR: \S+ has no data of Inframe .* for npm start\.$/)
  expect(existsSync(missing)).toBe(false)

  const empty = await place()
  await expectRefusal({ DATA_DIR: empty }, /^DATA_DIR: .* no data/)
  // As an interrupted first start may leave it.
  await mkdir(join(empty, 'postgres'))
  await expectRefusal({ DATA_DIR: empty }, /^DATA_DIR: .* no data/)
  expect(await readdir(empty, { recursive: true })).toEqual(['postgres'])
})

test('commands make no tables in a database without Inframe', async () => {
  const original = inject('templateDatabase')
  const admin = createDb({ ...original, database: 'postgres' }, () => {}, 1)
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await sql`create database ${sql.id(database)}`.execute(admin)
  const db = createDb({ ...original, database }, () => {}, 1)
  const folder = await place()
  await mkdir(join(folder, 'files'))
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl({ ...original, database }),
    SECRET_KEY: 'a secret key that is long enough for it',
  }
  try {
    await expectRefusal(env, /^DATABASE_URL: this database has no tables of Inframe/)
    const tables = sql`select from pg_tables where schemaname = 'public'`
    expect((await tables.execute(db)).rows).toEqual([])
  } finally {
    await db.destroy()
    await sql`drop database ${sql.id(database)} with (force)`.execute(admin)
    await admin.destroy()
  }
  expect(await readdir(folder)).toEqual(['files'])
})
