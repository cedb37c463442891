import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError, loadConfig } from '../src/config.ts'
import { type AppContext, databaseUnusable, fromConfig } from '../src/context.ts'
import { namingOwner } from '../src/data-folder.ts'
import { createDb } from '../src/database/client.ts'
import { findEmbeddedPostgres } from '../src/database/embedded/embedded-postgres.ts'
import { readMigrations } from '../src/database/migrate.ts'
import { isMissing } from '../src/storage/disk-faults.ts'

/** What a command works with. */
export interface CommandContext extends AppContext {
  /** Prints one or several lines. */
  print(text: string): void
}

/** Such as `1 photo` or `2 photos`. */
export const counted = (count: number, one: string, other = `${one}s`) =>
  `${count} ${count === 1 ? one : other}`

/** Creates the context for one command, with the configuration from the environment. Inframe may be running or not.
 *  The context runs no jobs. The caller closes it. */
export async function openContext(
  env: NodeJS.ProcessEnv,
  print: CommandContext['print'],
): Promise<CommandContext> {
  const config = loadConfig(env)
  await requireData(config)
  const running = config.database.kind === 'embedded' && (await findEmbeddedPostgres(config.dataDir))
  // The face engine starts late, because most commands do not use it. `album -- password` is for a lost key, too.
  const context = await fromConfig(config, {
    facesStartLate: true,
    keysUnchecked: true,
    ...(running && { database: running }),
  })
  return { ...context, print }
}

/** Checks that Inframe has been started with this configuration before: a command makes no new installation.
 *  @throws ConfigError */
export async function requireData({ dataDir, database, storage }: Config): Promise<void> {
  const parts = [
    ...(database.kind === 'embedded' ? ['postgres/cluster'] : []),
    ...(storage.kind === 'disk' ? ['files'] : []),
  ]
  for (const part of parts)
    await stat(join(dataDir, part)).catch(async (error: NodeJS.ErrnoException) => {
      if (!isMissing(error)) throw await namingOwner(dataDir, error)
      throw new ConfigError(
        `DATA_DIR: ${dataDir} has no data of Inframe (${part} is missing). Set DATA_DIR as it is set for npm start.`,
      )
    })
  if (database.kind === 'url') await requireTables(database.url)
}

async function requireTables(url: string): Promise<void> {
  const db = createDb({ connectionString: url }, () => {}, 1)
  try {
    const migrations = await readMigrations(db).catch((error: Error) => {
      throw databaseUnusable(error)
    })
    if (migrations.some(({ isApplied }) => isApplied)) return
  } finally {
    await db.destroy()
  }
  throw new ConfigError(
    'DATABASE_URL: this database has no tables of Inframe. Set DATABASE_URL as it is set for npm start.',
  )
}

/** Runs the work of a command. If it fails, the message is printed, without a stack if it is meant for the person at the
 *  terminal, and the exit code is 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const known = error instanceof ConfigError || (error instanceof Error && error.name === 'Error')
    console.error(known ? (error as Error).message : error)
    process.exitCode = 1
  }
}
