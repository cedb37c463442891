import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Ms that a stopping server gives the requests under way; a batch of photos needs less. */
const DRAIN_MS = 30_000

/** Lets a stopping server come to an end. Node closes connections that have had an answer and wait for the next
 *  request, but neither those that browsers open ahead of use and that have sent nothing yet, nor those whose
 *  other end no longer reads or sends. */
export function closeConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    setTimeout(() => app.server.closeAllConnections(), DRAIN_MS).unref()
  })
}
