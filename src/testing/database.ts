import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { createDb, type DatabaseAddress, type Db } from '../database/client.ts'

export interface TestDatabase {
  db: Db
  address: DatabaseAddress
  /** Ends every connection and removes the database. */
  drop(): Promise<void>
}

/** A database of a test's own: migrated, with pg-boss's tables, and empty; or a copy of another `template`. */
export async function createTestDatabase(template?: string): Promise<TestDatabase> {
  const original = inject('templateDatabase')
  const admin = createDb({ ...original, database: 'postgres' }, fail, 1)
  const database = `test_${randomUUID().replaceAll('-', '')}`
  // Copying files takes 22 ms and writing them to the log, the default, 53 ms, where nothing is synced.
  await sql`
    create database ${sql.id(database)} template ${sql.id(template ?? original.database!)} strategy file_copy
  `.execute(admin)
  const address = { ...original, database }
  const db = createDb(address, fail)
  return {
    db,
    address,
    async drop() {
      await db.destroy()
      await sql`drop database ${sql.id(database)} with (force)`.execute(admin)
      await admin.destroy()
    },
  }
}

/** As DATABASE_URL takes it. */
export function databaseUrl({ host, port, user, database }: DatabaseAddress): string {
  const address = new URLSearchParams({ host: host!, port: String(port ?? 5432), user: user! })
  return `postgres:///${database}?${address}`
}

/** No test of a test database may lose its connection: the run fails. */
function fail(error: Error): never {
  throw error
}
