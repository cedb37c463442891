import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Ms between two checks of a server. */
const CHECK_EVERY = 50
/** These headers belong to one connection and are not passed on (RFC 9110, §7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding']

export type Balancer = Awaited<ReturnType<typeof startBalancer>>

/** A load balancer as maintainers put it in front of several web processes. It asks each server's /readyz, sends each
 *  request to the next server that is ready, keeps its connections open, and never repeats a request. */
export async function startBalancer(servers: string[]) {
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
