import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

const DATABASE = resolve(import.meta.dirname, '../database')
const PROGRAM = `
  import { startEmbeddedPostgres } from ${JSON.stringify(`${DATABASE}/embedded.ts`)}
  import { createLog } from ${JSON.stringify(resolve(DATABASE, '../log.ts'))}
  try {
    await startEmbeddedPostgres({ dataDir: process.argv[1], log: createLog('silent') })
    console.log('started')
  } catch (error) {
    console.log(error.message)
  }`

/** Another process that starts the embedded Postgres and keeps it until it is killed, as this account or another. */
export function spawnEmbeddedPostgres(dataDir: string, account: { uid?: number; gid?: number } = {}) {
  const args = ['--input-type=module', '--eval', PROGRAM, dataDir]
  const child = spawn(process.execPath, args, { ...account, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const ended = once(child, 'exit')
  return {
    /** `started`, or the message of the error. */
    said: once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line)),
    /** As `kill -9` does. */
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
  }
}
