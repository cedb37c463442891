import { PostgresDialect } from 'kysely'
import { defineConfig } from 'kysely-ctl'
import pg from 'pg'
import { loadConfig } from './src/config.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './src/database/embedded/embedded-postgres.ts'
import { MIGRATIONS_FOLDER } from './src/database/migrate.ts'
import { createLog } from './src/log.ts'

/** The database that the environment names: the one of DATABASE_URL, or the embedded one. When no Inframe is
 *  running, the embedded one is started for as long as the command takes. Called at the first query. */
async function openPool() {
  const config = loadConfig()
  const running =
    config.database.kind === 'url'
      ? { connectionString: config.database.url }
      : await findEmbeddedPostgres(config.dataDir)
  if (running) return new pg.Pool(running)

  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log: createLog(config.logLevel) })
  const pool = new pg.Pool(postgres.address)
  // When the server stops, it closes the pool's last connections, and each reports an error.
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
