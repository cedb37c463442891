import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const PROJECT_FOLDER = join(import.meta.dirname, '../..')
export const MAIN = join(PROJECT_FOLDER, 'src/main.ts')

export interface ServiceProcess {
  url: string
  child: ChildProcess
  /** The lines of its standard output. */
  lines: string[]
  /** Resolves with the exit code, or the signal's name. */
  ended: Promise<number | string>
}

/** Runs `node src/main.ts`, or another command, in the project's folder. It gets the given environment and, from this
 *  process, only PATH and NODE_COMPILE_CACHE. */
export function spawnService(
  env: Record<string, string>,
  [program, ...args]: [string, ...string[]] = [process.execPath, MAIN],
): {
  child: ChildProcess
  lines: string[]
  output: () => string
  ended: Promise<number | string>
} {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(program, args, {
    cwd: PROJECT_FOLDER,
    env: { PATH, NODE_COMPILE_CACHE, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let errors = ''
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line))
  child.stderr!.on('data', (chunk) => {
    errors += chunk
  })
  // 'close' comes after the end of its output.
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  return { child, lines, output: () => lines.join('\n') + errors, ended }
}

/** Starts the service and waits for the line that says it is ready.
 *  @throws Error with its output when it ends before that. */
export async function startService(
  env: Record<string, string>,
  command?: [string, ...string[]],
): Promise<ServiceProcess> {
  const { child, lines, output, ended } = spawnService(env, command)
  const ready = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const match = line.match(/ready at (\S+)/)
      if (match) resolve(match[1]!)
    })
  })
  const url = await Promise.race([ready, ended.then(() => undefined)])
  if (!url) throw new Error(`The service ended before it was ready: ${output()}`)
  return { url: url.replace('localhost', '127.0.0.1'), child, lines, ended }
}

/** A port that is currently free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
