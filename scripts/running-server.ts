import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const PROJECT_FOLDER = join(import.meta.dirname, '..')

export interface RunningInframe {
  /** Without a slash at its end. */
  url: string
  /** Whether this command started it, and stops it. */
  isOurs: boolean
  stop(): Promise<void>
}

/** The Inframe that answers at `url`; when there is none, starts one.
 *  @throws Error when it cannot start; it has already printed the reason. */
export async function findOrStartServer(url: string): Promise<RunningInframe> {
  if (await answers(url)) return { url, isOurs: false, stop: async () => {} }
  console.log(`Inframe is not running at ${url}. Starting it for this command.`)
  const build = run('scripts/build-web.ts', '--if-needed')
  const [buildCode] = await once(build, 'exit')
  if (buildCode !== 0) throw new Error('The web app could not be built.')
  const server = run('src/main.ts')
  const ended = once(server, 'exit')
  return {
    url: await readyAddress(server, ended),
    isOurs: true,
    async stop() {
      server.kill('SIGTERM')
      await ended
    },
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/albums/list`)
    return response.ok && Array.isArray(await response.json())
  } catch {
    return false
  }
}

function run(...args: string[]): ChildProcess {
  return spawn(process.execPath, args, { cwd: PROJECT_FOLDER, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Waits for the line with the server's address. */
async function readyAddress(server: ChildProcess, ended: Promise<unknown[]>): Promise<string> {
  const lines = createInterface({ input: server.stdout! })
  const found = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const match = line.match(/ready at (\S+)/)
      if (match) resolve(match[1]!)
    })
  })
  const address = await Promise.race([found, ended.then(() => undefined)])
  if (!address) throw new Error('Inframe could not be started.')
  return address
}
