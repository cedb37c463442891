import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Readiness } from './readiness.ts'

/** How many ms a stopping server waits for running requests; a batch of photos needs less. */
const DRAIN_MS = 30_000

/** Closes all connections of a stopping server. As soon as it stops, each connection is closed after its next answer,
 *  so that clients continue on another server. Node itself only closes connections that wait for another request. This
 *  also closes those that browsers opened in advance and that have sent nothing, and, after DRAIN_MS, those whose
 *  other end no longer reads or sends. */
export function closeConnections(app: FastifyInstance, readiness: Readiness): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (readiness.isStopping()) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    setTimeout(() => app.server.closeAllConnections(), DRAIN_MS).unref()
  })
}
