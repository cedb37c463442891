import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import { type DatabaseAddress, withConnection } from '../client.ts'
import { endWithThisProcess, spawnOptions } from './cluster.ts'
import type { Account } from './home.ts'

/** Settings for a machine that also runs other programs. */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  // Used files of the log are kept and written again: with them Postgres starts, and albums can be erased, on a full disk.
  min_wal_size: '256MB',
  max_wal_size: '512MB',
  // No other server follows this one.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The caller gets the error of a query anyway; in the server's log it would reveal visitors' data.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
}
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** A start after a crash replays at most max_wal_size of log. */
const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 30_000
/** The longest pause between two attempts to restart a server that died. */
const LONGEST_PAUSE_MS = 30_000
/** How many of the server's last lines go into the error of a failed start. */
const LINES_IN_ERROR = 20

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

/** Launches a server, and launches it again whenever it dies, after a pause that grows with each failed attempt.
 *  The server ends together with this process. */
export async function keepServerRunning(
  log: Log,
  launch: (signal: AbortSignal) => Promise<ChildProcess>,
): Promise<RunningServer> {
  const stopping = new AbortController()
  let restarting: Promise<void> | undefined
  let server = await launch(stopping.signal)
  watch()
  const endNow = () => server.kill('SIGINT')
  process.once('exit', endNow)

  function watch() {
    server.once('exit', (code, signal) => {
      if (stopping.signal.aborted) return
      log.error({ code, signal }, 'The database server died and is being restarted')
      restarting = restart()
    })
  }

  async function restart() {
    for (let pause = 200; !stopping.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        await setTimeout(pause, undefined, { signal: stopping.signal })
        server = await launch(stopping.signal)
        watch()
        log.info('The database server is running again')
        return
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error }, 'The database server could not be restarted')
      }
    }
  }

  return {
    async stop() {
      stopping.abort()
      await restarting
      await stopServer(server)
      process.off('exit', endNow)
    },
  }
}

/** Starts the server and waits until it answers.
 *  @throws Error with the server's last lines when it does not answer, or when `signal` is aborted */
export async function launchServer(options: ServerOptions, signal: AbortSignal): Promise<ChildProcess> {
  const settings = {
    ...SETTINGS,
    ...(options.durable ? {} : NOT_DURABLE),
    unix_socket_directories: options.address.host,
    port: options.address.port,
  }
  const [program, ...args] = [
    ...endWithThisProcess(),
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
    if (lastLines.length > LINES_IN_ERROR) lastLines.shift()
  })

  try {
    await once(server, 'spawn')
    await untilAnswering(options.address, () => hasEnded(server) || signal.aborted)
    if (hasEnded(server)) throw new Error('The server ended immediately.')
    return server
  } catch (error) {
    await stopServer(server)
    await Promise.race([allRead, setTimeout(1000)])
    throw new Error(['The embedded Postgres does not start. Its last messages:', ...lastLines].join('\n'), {
      cause: error,
    })
  }
}

/** Stops the server cleanly. After STOP_TIMEOUT_MS it is stopped at once, and then recovers at its next start. */
async function stopServer(server: ChildProcess): Promise<void> {
  if (hasEnded(server)) return
  const ended = once(server, 'exit')
  server.kill('SIGINT')
  const timer = globalThis.setTimeout(() => server.kill('SIGQUIT'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
}

/** Whether a server answers at this address. */
export async function isAnswering(address: DatabaseAddress): Promise<boolean> {
  return await withConnection(address, async () => true).catch(() => false)
}

async function untilAnswering(address: DatabaseAddress, givenUp: () => boolean): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      return await withConnection(address, async () => {})
    } catch (error) {
      if (givenUp() || Date.now() > deadline) throw error
      await setTimeout(20)
    }
  }
}

function hasEnded(server: ChildProcess): boolean {
  return server.pid === undefined || server.exitCode !== null || server.signalCode !== null
}
