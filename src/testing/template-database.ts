import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import type { TestProject } from 'vitest/node'
import { createDb, type DatabaseAddress, type Db } from '../database/client.ts'
import { startEmbeddedPostgres } from '../database/embedded/embedded-postgres.ts'
import { migrateToLatest } from '../database/migrate.ts'
import { createLog } from '../log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Every test database is a copy of this one. No process may connect to it while tests run. */
    templateDatabase: DatabaseAddress
  }
}

const TEMPLATE = 'inframe_template'

/** Vitest's global setup: starts one Postgres for the test run, with a database that has our tables and pg-boss's. */
export default async function startTemplateDatabase(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'inframe-tests-'))
  // The server's account can enter, so that everything is kept in this folder even when root runs the tests.
  await chmod(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('warn'), durable: false })
  const close = async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true })
  }
  try {
    project.provide('templateDatabase', await createTemplate(postgres.address))
    return close
  } catch (error) {
    await close()
    throw error
  }
}

async function createTemplate(server: DatabaseAddress): Promise<DatabaseAddress> {
  await withDb(server, (db) => sql`create database ${sql.id(TEMPLATE)}`.execute(db))
  const template = { ...server, database: TEMPLATE }
  await withDb(template, migrateToLatest)

  const boss = new PgBoss({ ...template, max: 2, supervise: false, schedule: false })
  boss.on('error', fail)
  await boss.start()
  await boss.stop({ graceful: false })
  return template
}

async function withDb(address: DatabaseAddress, work: (db: Db) => Promise<unknown>): Promise<void> {
  const db = createDb(address, fail, 2)
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}

function fail(error: Error): never {
  throw error
}
