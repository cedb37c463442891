import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createDb, type Db } from '../../src/database/client.ts'
import { endWithThisProcess } from '../../src/database/embedded/cluster.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.ts'
import { migrateToLatest } from '../../src/database/migrate.ts'
import { createLog } from '../../src/log.ts'
import { processorMsOf, residentBytesOf } from '../../src/processes/process-figures.ts'
import { childrenWith } from '../../src/testing/child-processes.ts'
import { createDataFolder } from '../../src/testing/data-folder.ts'
import { freePort, MAIN, startService } from '../../src/testing/process.ts'
import { waitUntil } from '../../src/testing/wait.ts'
import { undoLater } from './undo.ts'

/** A service finishes the photos that it is indexing before it stops. */
const STOP_TIMEOUT_MS = 30_000

/** A data folder and a Postgres that the processes of a bench share. */
export interface Site {
  dataDir: string
  db: Db
  databaseUrl: string
  /** Of its web process, or of the one that does everything. Only one of them runs at a time. */
  url: string
  env: Record<string, string>
}

export interface Running {
  url: string
  pid: number
  child: ChildProcess
  stop(): Promise<unknown>
}

/** @param more environment of all its processes */
export async function createSite(more: Record<string, string> = {}): Promise<Site> {
  const dataDir = await dataFolder()
  const { address, stop } = await startEmbeddedPostgres({ dataDir, log: createLog('warn') })
  undoLater(stop)
  const { host, port, user, database } = address
  const databaseUrl = `postgres://${user}@${encodeURIComponent(host!)}:${port}/${database}`
  const db = createDb({ connectionString: databaseUrl }, () => {})
  undoLater(() => db.destroy())
  await migrateToLatest(db)
  const PORT = String(await freePort())
  const SECRET_KEY = randomBytes(32).toString('base64url')
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SECRET_KEY, PORT, ...more }
  return { dataDir, db, databaseUrl, url: `http://127.0.0.1:${PORT}`, env }
}

/** A folder that the database server's account can enter. */
export async function dataFolder(): Promise<string> {
  const folder = await createDataFolder(0o755)
  // After SIGKILL the service ends before its database.
  const isRemoved = async () => (await Promise.allSettled([folder.remove()]))[0].status === 'fulfilled'
  undoLater(() => waitUntil('the database server to end', isRemoved))
  return folder.path
}

/** Starts a process of the service as `npm start` does, and waits until it is ready. */
export function start(role: 'all' | 'web' | 'worker', env: Record<string, string>): Promise<Running> {
  const ofWorker = role === 'worker' && { PORT: '0', PUBLIC_URL: 'http://localhost' }
  return startProgram([MAIN], { ...env, ROLE: role, ...ofWorker })
}

/** Starts the yardstick of the HTTP benches: see yardstick.ts. */
export function startYardstick(folder: string): Promise<Running> {
  return startProgram([join(import.meta.dirname, 'yardstick.ts'), folder], {})
}

async function startProgram(args: string[], env: Record<string, string>): Promise<Running> {
  const words = [...endWithThisProcess(), process.execPath, ...args] as [string, ...string[]]
  const { child, url, ended } = await startService(env, words)
  const stop = undoLater(async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await ended
    clearTimeout(timer)
  })
  return { url, pid: child.pid!, child, stop }
}

/** The processor time in ms of a process and all that it has started. */
export const processorMs = (pid: number): number => sumOf(pid, processorMsOf)

/** The memory in bytes of a process and all that it has started. */
export const residentBytes = (pid: number): number => sumOf(pid, residentBytesOf)

function sumOf(pid: number, of: (pid: number) => number): number {
  return childrenWith('', pid).reduce((sum, child) => sum + sumOf(child, of), of(pid))
}
