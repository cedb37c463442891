import { type Balancer, startBalancer } from './balancer.ts'
import { freePort, type ServiceProcess, startService } from './process.ts'
import { waitUntil } from './wait.ts'

/** One process of the service. It keeps its address when it is started again. */
export interface Member {
  url: string
  role: 'web' | 'worker'
  /** `kill -9`. */
  kill(): Promise<void>
  /** SIGTERM; resolves with the exit code, or the signal's name, when it has ended. */
  stop(): Promise<number | string>
  /** Starts it again, and waits until it says that it is ready. */
  start(): Promise<void>
}

export interface Fleet {
  /** The address for visitors: the balancer's. */
  url: string
  balancer: Balancer
  webs: Member[]
  workers: Member[]
  /** Stops all processes that are running. @throws Error when one of them does not end with code 0 */
  close(): Promise<void>
}

/** Starts web processes behind a balancer, and worker processes.
 *  @param env the environment of all of them; it names the database and the storage that they share */
export async function startFleet(
  env: Record<string, string>,
  { webs, workers }: { webs: number; workers: number },
): Promise<Fleet> {
  const roles = [...Array<'web'>(webs).fill('web'), ...Array<'worker'>(workers).fill('worker')]
  const ports = await Promise.all(roles.map(freePort))
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const balancer = await startBalancer(urls.filter((_url, index) => roles[index] === 'web'))
  const members = roles.map((role, index) =>
    createMember(role, urls[index]!, {
      ...env,
      ROLE: role,
      PORT: String(ports[index]),
      PUBLIC_URL: balancer.url,
    }),
  )
  const close = async () => {
    const ends = await Promise.all(members.map((member) => member.stop()))
    await balancer.close()
    if (ends.some((end) => end !== 0)) throw new Error(`Processes ended with ${ends.join(', ')}`)
  }
  try {
    await Promise.all(members.map((member) => member.start()))
    await waitUntil('every web process to be ready', async () => balancer.ready().length === webs)
  } catch (error) {
    await close()
    throw error
  }
  return {
    url: balancer.url,
    balancer,
    webs: members.filter(({ role }) => role === 'web'),
    workers: members.filter(({ role }) => role === 'worker'),
    close,
  }
}

function createMember(role: Member['role'], url: string, env: Record<string, string>): Member {
  let running: ServiceProcess | undefined
  const end = async (signal: NodeJS.Signals) => {
    const { child, ended } = running ?? {}
    running = undefined
    child?.kill(signal)
    return (await ended) ?? 0
  }
  return {
    url,
    role,
    async kill() {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    async start() {
      running = await startService(env)
      await waitUntil(`${role} to be ready`, async () => {
        const answer = await fetch(`${url}/readyz`)
        await answer.body?.cancel()
        return answer.ok
      })
    },
  }
}
