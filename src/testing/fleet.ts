import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
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

/** Ms between two checks of a server. */
const CHECK_EVERY = 50
/** These headers belong to one connection and are not passed on (RFC 9110, §7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding']

/** A load balancer as maintainers put it in front of several web processes. It asks each server's /readyz, sends each
 *  request to the next server that is ready, keeps its connections open, and never repeats a request. */
async function startBalancer(servers: string[]) {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<string>()
  let isClosing = false
  let turn = 0

  async function watch(server: string): Promise<void> {
    while (!isClosing) {
      const { ok } = await fetch(`${server}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => ({
        ok: false,
      }))
      if (ok) ready.add(server)
      else ready.delete(server)
      await pause(CHECK_EVERY)
    }
  }

  function pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const server = [...ready].sort()[turn++ % ready.size]
    if (!server) {
      answer.writeHead(503, { 'retry-after': '1' }).end('No server is ready')
      return
    }
    const headers = { ...incoming.headers, 'x-forwarded-for': '203.0.113.9', connection: 'keep-alive' }
    const { method, url: path } = incoming
    const onward = request(server, { method, path, headers, agent }, (response) => {
      const kept = Object.entries(response.headers).filter(([name]) => !HOP_BY_HOP.includes(name))
      answer.writeHead(response.statusCode!, Object.fromEntries(kept))
      response.pipe(answer)
      response.on('error', () => answer.destroy())
    })
    onward.on('error', (error) => {
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(502).end(`${server}: ${error.message}`)
    })
    answer.on('close', () => {
      if (!answer.writableFinished) onward.destroy()
    })
    incoming.pipe(onward)
  }

  const listener = createServer(pass).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const watching = servers.map(watch)
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    /** The servers that were ready at their last check. */
    ready: () => [...ready],
    async close() {
      isClosing = true
      listener.close()
      listener.closeAllConnections()
      await Promise.all(watching)
      agent.destroy()
    },
  }
}
