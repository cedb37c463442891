import { loadConfig } from '../src/config.ts'
import { type Context, createContext } from '../src/context.ts'
import { findEmbeddedPostgres } from '../src/database/embedded.ts'

/** A context of the environment's configuration for one command, beside a running Inframe or without one. It
 *  works off no queue. Close it. */
export async function openContext(env: NodeJS.ProcessEnv = process.env): Promise<Context> {
  const config = loadConfig(env)
  const running = config.database.kind === 'embedded' && (await findEmbeddedPostgres(config.dataDir))
  // A command that looks at no picture needs no thread for it.
  return createContext(config, { facesStartLate: true, ...(running && { database: running }) })
}
