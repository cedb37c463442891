import { PostgresDialect } from 'kysely'
import { defineConfig } from 'kysely-ctl'
import pg from 'pg'
import { loadConfig } from './src/config.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './src/database/embedded.ts'
import { MIGRATIONS_FOLDER } from './src/database/migrate.ts'
import { createLog } from './src/log.ts'

/** The database of the environment: the one DATABASE_URL names, the embedded one of a running Inframe, or the
 *  embedded one started for as long as the command takes. Called with the first query. */
async function openPool() {
  const config = loadConfig()
  const running =
    config.database.kind === 'url'
      ? { connectionString: config.database.url }
      : await findEmbeddedPostgres(config.dataDir)
  if (running) return new pg.Pool(running)

  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log: createLog(config.logLevel) })
  const pool = new pg.Pool(postgres.address)
  // The server ends the last connections of a pool that has just ended, and they say so.
  pool.on('error', () => {})
  return {
    options: pool.options,
    connect: () => pool.connect(),
    async end() {
      await pool.end()
      await postgres.stop()
    },
  }
}

export default defineConfig({
  dialect: new PostgresDialect({ pool: openPool }),
  migrations: { migrationFolder: MIGRATIONS_FOLDER },
})
