import { loadConfig } from '../src/config.ts'
import { type Context, createContext } from '../src/context.ts'
import { findEmbeddedPostgres } from '../src/database/embedded.ts'

/** A context of the environment's configuration for one command, beside a running Inframe or without one. It
 *  works off no queue. Close it. */
export async function openContext(env: NodeJS.ProcessEnv = process.env): Promise<Context> {
  // One command at a time needs no thread a core.
  const config = loadConfig({ ...env, FACE_WORKERS: '1' })
  const running = config.database.kind === 'embedded' && (await findEmbeddedPostgres(config.dataDir))
  return createContext(config, running ? { database: running } : {})
}
