import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseAddress } from '../../src/database/client.ts'
import { endWithThisProcess } from '../../src/database/embedded/cluster.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.ts'
import { processesOn } from '../../src/database/embedded/leftovers.ts'
import { createLog } from '../../src/log.ts'
import { createDataFolder } from '../../src/testing/data-folder.ts'
import { undoLater } from './cleanup.ts'

/** As `npm start` does. */
const MAIN = ['--max-semi-space-size=1', join(import.meta.dirname, '../../src/main.ts')]
const BARE = [join(import.meta.dirname, 'bare-server.ts')]
const FILE_STREAM = [join(import.meta.dirname, 'file-stream.ts')]
/** A service finishes the photos that it is indexing before it stops. */
const STOP_TIMEOUT_MS = 30_000

export interface ServerProcess {
  /** Without a slash at its end. */
  url: string
  pid: number
  stop(): Promise<void>
}

/** Starts the real service like `npm start`, on a new data folder.
 *  @param options.indexing when false, starts a web process (ROLE=web), which indexes nothing, and a separate
 *  Postgres for it. */
export async function startService({ indexing }: { indexing: boolean }): Promise<ServerProcess> {
  const dataDir = await makeDataFolder()
  if (indexing) return await startServer(MAIN, [], { PORT: '0', DATA_DIR: dataDir })
  return await startInRole('web', await sharedParts(dataDir))
}

/** Starts a Postgres of its own for a data folder.
 *  @returns the environment of processes that share both */
export async function sharedParts(dataDir: string): Promise<Record<string, string>> {
  const secret = randomBytes(32).toString('base64url')
  return { DATA_DIR: dataDir, DATABASE_URL: await startPostgres(dataDir), SECRET_KEY: secret }
}

/** Starts a process of the service with this environment. */
export async function startInRole(role: 'all' | 'web', env: Record<string, string>): Promise<ServerProcess> {
  return await startServer(MAIN, [], { ...env, ROLE: role, PORT: '0' })
}

/** Starts a worker process with this environment. */
export async function startWorker(env: Record<string, string>): Promise<ServerProcess> {
  return await startServer(MAIN, [], { ...env, ROLE: 'worker', PORT: '0', PUBLIC_URL: 'http://localhost' })
}

/** Starts the yardstick: see bare-server.ts. */
export async function startBareServer(): Promise<ServerProcess> {
  return await startServer(BARE, [await makeDataFolder()], {})
}

/** Starts the yardstick of zips: see file-stream.ts. */
export async function startFileStream(folder: string): Promise<ServerProcess> {
  return await startServer(FILE_STREAM, [folder], {})
}

/** Starts a program and waits until it prints that it is ready. Its log appears on the terminal. */
async function startServer(
  program: string[],
  args: string[],
  env: Record<string, string>,
): Promise<ServerProcess> {
  const [command, ...words] = [...endWithThisProcess(), process.execPath, ...program, ...args]
  const child = spawn(command!, words, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const stop = undoLater(async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await ended
    clearTimeout(timer)
  })
  const ready = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const announced = /\bready(?: at (\S+))?/.exec(line)
      if (announced) resolve((announced[1] ?? '').replace('localhost', '127.0.0.1'))
    })
  })
  const url = await Promise.race([ready, ended.then(() => undefined)])
  if (url === undefined) throw new Error(`${program.at(-1)} ended before it was ready`)
  return { url, pid: child.pid!, stop }
}

/** Creates a data folder that the database server's account can enter. */
export async function makeDataFolder(): Promise<string> {
  const making = createDataFolder(0o755)
  undoLater(async () => {
    const folder = await making
    await untilDatabaseEnded(folder.path)
    await folder.remove()
  })
  return (await making).path
}

/** Waits until no database server runs on the folder: after a second Ctrl-C the service ends before its database. */
async function untilDatabaseEnded(dataDir: string): Promise<void> {
  const home = await realpath(join(dataDir, 'postgres')).catch(() => undefined)
  while (home && (await processesOn(join(home, 'cluster'))).length > 0) await pause(50)
}

/** Starts an embedded Postgres. @returns its DATABASE_URL. */
export async function startPostgres(dataDir: string): Promise<string> {
  const starting = startEmbeddedPostgres({ dataDir, log: createLog('warn') })
  // The caller gets the error of a failed start, below.
  const stopping = starting.then(
    (postgres) => postgres.stop,
    () => undefined,
  )
  undoLater(async () => await (await stopping)?.())
  return urlOf((await starting).address)
}

function urlOf({ host, port, user, database }: DatabaseAddress): string {
  return `postgres://${user}@${encodeURIComponent(host!)}:${port}/${database}`
}
