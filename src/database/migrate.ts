import fs from 'node:fs/promises'
import path from 'node:path'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import type { Db } from './client.ts'

export const MIGRATIONS_FOLDER = path.resolve(import.meta.dirname, '../../db/migrations')

/** Brings the tables up to date. When one migration fails, none is applied. Processes that start at the same time
 *  wait for each other.
 *  @returns the names of the migrations that were applied
 *  @throws Error that names the migration that failed */
export async function migrateToLatest(db: Db): Promise<string[]> {
  const { error, results = [] } = await migratorOf(db).migrateToLatest()
  if (error) {
    const failed = results.find((result) => result.status === 'Error')
    const what = failed ? `Migration ${failed.migrationName} failed` : 'The database could not be migrated'
    throw new Error(`${what}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
  return results.map((result) => result.migrationName)
}

/** All known migrations, and whether each has been applied; changes nothing. */
export async function readMigrations(db: Db): Promise<{ name: string; isApplied: boolean }[]> {
  const migrations = await migratorOf(db).getMigrations()
  return migrations.map(({ name, executedAt }) => ({ name, isApplied: executedAt !== undefined }))
}

function migratorOf(db: Db): Migrator {
  const provider = new FileMigrationProvider({ fs, path, migrationFolder: MIGRATIONS_FOLDER })
  return new Migrator({ db, provider })
}
