import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import type { FastifyInstance } from 'fastify'

export interface RefusedBodyLimits {
  /** The longest time to read the rest of a refused body. */
  ms: number
  /** The longest time without a byte. */
  idleMs: number
}

/** Reads and drops the rest of a body that was answered before its end, and closes the connection when that takes too
 *  long. Browsers and proxies may read the answer only after they have sent everything. A connection that is closed
 *  before is reset, and the answer may be lost with it. The client's next request comes over the same connection,
 *  after that rest. */
export function dropRefusedBodies(app: FastifyInstance, limits: RefusedBodyLimits): void {
  /** Those whose connection is to be closed after the rest of the body, as the client wants it. */
  const last = new WeakSet<IncomingMessage>()
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (!raw.complete && !reply.raw.shouldKeepAlive) {
      // Node would close the connection right after the answer.
      reply.raw.shouldKeepAlive = true
      last.add(raw)
    }
    done()
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (last.has(raw)) finished(raw, () => raw.socket.end())
    // Most requests have no body.
    const hasRest = !raw.complete || raw.readableLength > 0
    if (hasRest && !raw.destroyed) dropRest(raw, limits)
    done()
  })
}

function dropRest(body: IncomingMessage, { ms, idleMs }: RefusedBodyLimits): void {
  const close = () => body.socket.destroy()
  // Browsers send no chunks. What they cost is not seen here, because Node drops them without an event.
  if (body.headers['transfer-encoding'] !== undefined) {
    body.socket.destroySoon()
    return
  }
  const atMost = setTimeout(close, ms)
  // Node drops the bytes of a body that nobody has begun to read, without an event. So they are counted at the socket.
  let received = body.socket.bytesRead
  const idle = setInterval(() => {
    if (body.socket.bytesRead === received) close()
    received = body.socket.bytesRead
  }, idleMs)
  finished(body, () => {
    clearTimeout(atMost)
    clearInterval(idle)
  })
  body.unpipe()
  body.resume()
}
