import { type Balancer, startBalancer } from './balancer.ts'
import { freePort, type ServiceProcess, startService } from './process.ts'
import { waitUntil } from './wait.ts'

/** One process of the service, under an address that it keeps. */
export interface Member {
  url: string
  role: 'web' | 'worker'
  /** `kill -9`. */
  kill(): Promise<void>
  /** SIGTERM; resolves with the exit code when it has ended. */
  stop(): Promise<number | string>
  /** Starts it again, and waits until it says that it is ready. */
  start(): Promise<void>
}

export interface Fleet {
  /** Where visitors go. */
  url: string
  balancer: Balancer
  webs: Member[]
  workers: Member[]
  /** Stops all that still run; throws when one of them does not end as it should. */
  close(): Promise<void>
}

/** So many webs behind a balancer, and workers, each a process of its own, all with this environment: it names what
 *  they share. */
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
    await waitUntil('every web to be seen ready', async () => balancer.ready().length === webs)
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
