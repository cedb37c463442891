import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** What happens to one request. `hang`: no answer comes; `hang in response`: the answer stops halfway through its
 *  body; `cut`: the connection breaks halfway through a body. */
type ConnectionFault =
  | 'hang'
  | 'hang in response'
  | 'cut in request'
  | 'cut in response'
  | { status: number; body: string }

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>

/** Starts a proxy in front of a real HTTP server that disturbs the requests that `fault` chooses. */
export async function startFaultProxy(target: string) {
  const sockets = new Set<Socket>()
  const server = createServer((incoming, outgoing) => {
    proxy.seen.push(`${incoming.method} ${incoming.url!.split('?')[0]}`)
    handle(target, incoming, outgoing, proxy.fault(incoming))
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Called for each request in turn; a request without a fault passes. */
    fault: (_request: IncomingMessage): ConnectionFault | undefined => undefined,
    /** Every request so far, such as `PUT /bucket/key`. */
    seen: [] as string[],
    /** The number of open connections. */
    connections: () => sockets.size,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

function handle(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault?: ConnectionFault,
): void {
  if (fault === 'hang') {
    incoming.resume()
    return
  }
  if (typeof fault === 'object') {
    incoming.resume().on('end', () => {
      outgoing.writeHead(fault.status, { 'content-type': 'application/xml' }).end(fault.body)
    })
    return
  }
  const { method, url, headers } = incoming
  // The headers pass unchanged, because the client's signature includes the host name.
  const onward = request(target + url, { method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode!, answer.rawHeaders)
    if (fault === 'cut in response') forwardHalf(answer, outgoing, () => outgoing.destroy())
    else if (fault === 'hang in response') forwardHalf(answer, outgoing, () => undefined)
    else answer.pipe(outgoing)
  })
  onward.on('error', () => outgoing.destroy())
  outgoing.on('close', () => onward.destroy())
  if (fault === 'cut in request')
    forwardHalf(incoming, onward, () => {
      onward.destroy()
      incoming.destroy()
    })
  else incoming.pipe(onward)
}

function forwardHalf(
  from: IncomingMessage,
  to: { write(chunk: Buffer, done: () => void): unknown },
  cut: () => void,
): void {
  let left = Math.floor(Number(from.headers['content-length']) / 2)
  from.on('data', (chunk: Buffer) => {
    if (left <= 0) return
    const part = chunk.subarray(0, left)
    left -= part.length
    to.write(part, () => left <= 0 && cut())
  })
}
