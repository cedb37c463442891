import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

const DATABASE = resolve(import.meta.dirname, '../database')
const PROGRAM = `
  import { startEmbeddedPostgres } from ${JSON.stringify(`${DATABASE}/embedded/embedded-postgres.ts`)}
  import { createLog } from ${JSON.stringify(resolve(DATABASE, '../log.ts'))}
  try {
    await startEmbeddedPostgres({ dataDir: process.argv[1], log: createLog('silent') })
    console.log('started')
  } catch (error) {
    console.log(error.message)
  }`

/** Starts another process, under this account or another one. It starts the embedded Postgres and keeps it running
 *  until it is killed. */
export function spawnEmbeddedPostgres(dataDir: string, account: { uid?: number; gid?: number } = {}) {
  const args = ['--input-type=module', '--eval', PROGRAM, dataDir]
  const child = spawn(process.execPath, args, { ...account, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const ended = once(child, 'exit')
  return {
    /** `started`, or the error's message. */
    said: once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line)),
    /** Kills it like `kill -9`. */
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
  }
}
