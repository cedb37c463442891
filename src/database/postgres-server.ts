import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import type { DatabaseAddress } from './client.ts'
import type { Account } from './embedded-home.ts'
import { endWithUs, spawnOptions } from './postgres-cluster.ts'

/** For a machine that has other things to do. */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The error of a query reaches whoever sent it; in the server's log it would tell visitors' data.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
}
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Ms. A start after a crash replays at most max_wal_size of log. */
const START_PATIENCE = 120_000
const STOP_PATIENCE = 30_000
/** Ms between two attempts to start a server that died. */
const LONGEST_PAUSE = 30_000
const LINES_TOLD = 20

export interface ServerOptions {
  binaries: string
  cluster: string
  account: Account
  address: DatabaseAddress
  durable: boolean
  log: Log
}

export interface RunningServer {
  stop(): Promise<void>
}

/** Launches a server now, and again whenever it dies, at growing intervals. It ends with this process. */
export async function keepServerRunning(
  log: Log,
  launch: (signal: AbortSignal) => Promise<ChildProcess>,
): Promise<RunningServer> {
  const stopping = new AbortController()
  let healing: Promise<void> | undefined
  let server = await launch(stopping.signal)
  watch()
  const endNow = () => server.kill('SIGINT')
  process.once('exit', endNow)

  function watch() {
    server.once('exit', (code, signal) => {
      if (stopping.signal.aborted) return
      log.error({ code, signal }, 'The database server has died and will be started again')
      healing = heal()
    })
  }

  async function heal() {
    for (let pause = 200; !stopping.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        await setTimeout(pause, undefined, { signal: stopping.signal })
        server = await launch(stopping.signal)
        watch()
        log.info('The database server is back')
        return
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error }, 'The database server does not start again')
      }
    }
  }

  return {
    async stop() {
      stopping.abort()
      await healing
      await stopServer(server)
      process.off('exit', endNow)
    },
  }
}

/** Starts the server and waits until it answers.
 *  @throws Error with the server's last lines when it does not, or when `signal` is aborted */
export async function launchServer(options: ServerOptions, signal: AbortSignal): Promise<ChildProcess> {
  const settings = {
    ...SETTINGS,
    ...(options.durable ? {} : NOT_DURABLE),
    unix_socket_directories: options.address.host,
    port: options.address.port,
  }
  const [program, ...args] = [
    ...endWithUs(),
    join(options.binaries, 'postgres'),
    '-D',
    options.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const server = spawn(program!, args, {
    ...spawnOptions(options.account),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lastLines: string[] = []
  const lines = createInterface({ input: server.stderr })
  const allRead = new Promise((resolve) => lines.once('close', resolve))
  lines.on('line', (line) => {
    options.log.debug({ postgres: line })
    lastLines.push(line)
    if (lastLines.length > LINES_TOLD) lastLines.shift()
  })

  try {
    await once(server, 'spawn')
    await untilAnswering(
      { ...options.address, database: 'postgres' },
      () => hasEnded(server) || signal.aborted,
    )
    if (hasEnded(server)) throw new Error('it has ended at once')
    return server
  } catch (error) {
    await stopServer(server)
    await Promise.race([allRead, setTimeout(1000)])
    throw new Error(['The embedded Postgres does not start.', ...lastLines].join('\n'), { cause: error })
  }
}

/** Ends the server in order; one that takes longer than STOP_PATIENCE is left to recover at its next start. */
async function stopServer(server: ChildProcess): Promise<void> {
  if (hasEnded(server)) return
  const ended = once(server, 'exit')
  server.kill('SIGINT')
  const impatient = globalThis.setTimeout(() => server.kill('SIGQUIT'), STOP_PATIENCE)
  await ended
  clearTimeout(impatient)
}

/** Whether a server answers there. */
export async function isAnswering(address: DatabaseAddress): Promise<boolean> {
  return await withConnection(address, async () => true).catch(() => false)
}

async function untilAnswering(address: DatabaseAddress, givenUp: () => boolean): Promise<void> {
  const deadline = Date.now() + START_PATIENCE
  for (;;) {
    try {
      return await withConnection(address, async () => {})
    } catch (error) {
      if (givenUp() || Date.now() > deadline) throw error
      await setTimeout(20)
    }
  }
}

/** Does something on a connection of its own. */
export async function withConnection<T>(
  address: DatabaseAddress,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 5_000 })
  // What is under way fails with it too; unheard, it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

function hasEnded(server: ChildProcess): boolean {
  return server.pid === undefined || server.exitCode !== null || server.signalCode !== null
}
