import { startBalancer } from './balancer.ts'
import { freePort, type ServiceProcess, startService } from './process.ts'
import { waitUntil } from './wait.ts'

export type Fleet = Awaited<ReturnType<typeof startFleet>>

/** Starts web processes behind a balancer, and worker processes.
 *  @param env the environment of all of them; it names the database and the storage that they share */
export async function startFleet(
  env: Record<string, string>,
  { webs, workers }: { webs: number; workers: number },
) {
  const roles = [...Array<'web'>(webs).fill('web'), ...Array<'worker'>(workers).fill('worker')]
  const ports = await Promise.all(roles.map(freePort))
  const urlOf = (port: number) => `http://127.0.0.1:${port}`
  const balancer = await startBalancer(ports.slice(0, webs).map(urlOf))
  const members = roles.map((role, index) =>
    createMember(urlOf(ports[index]!), {
      ...env,
      ROLE: role,
      PORT: String(ports[index]),
      PUBLIC_URL: balancer.url,
    }),
  )
  /** Stops all processes that are running. @throws Error when one of them does not end with code 0 */
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
  return { url: balancer.url, balancer, webs: members.slice(0, webs), workers: members.slice(webs), close }
}

/** One process of the service. It keeps its address when it is started again. */
function createMember(url: string, env: Record<string, string>) {
  let running: ServiceProcess | undefined
  const end = async (signal: NodeJS.Signals) => {
    const { child, ended } = running ?? {}
    running = undefined
    child?.kill(signal)
    return (await ended) ?? 0
  }
  return {
    url,
    kill: () => end('SIGKILL'),
    /** Resolves with the exit code, or the signal's name, when it has ended. */
    stop: () => end('SIGTERM'),
    /** Starts it again, and waits until it says that it is ready. */
    async start() {
      running = await startService(env)
      await waitUntil('the process to be ready', async () => (await fetch(`${url}/readyz`)).ok)
    },
  }
}
