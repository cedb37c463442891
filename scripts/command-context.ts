import { loadConfig } from '../src/config.ts'
import { type Context, createContext } from '../src/context.ts'
import { findEmbeddedPostgres } from '../src/database/embedded.ts'

/** What a command works with. */
export interface CommandContext extends Context {
  /** Prints one or several lines. */
  print(text: string): void
}

/** Creates the context for one command, with the configuration from the environment. Inframe may be running or not.
 *  The context runs no jobs. The caller closes it. */
export async function openContext(env: NodeJS.ProcessEnv): Promise<Context> {
  const config = loadConfig(env)
  const running = config.database.kind === 'embedded' && (await findEmbeddedPostgres(config.dataDir))
  // The face engine starts late, because most commands do not use it.
  return createContext(config, { facesStartLate: true, ...(running && { database: running }) })
}
