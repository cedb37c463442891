import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Readiness } from './readiness.ts'

/** Ms that a stopping server gives the requests under way; a batch of photos needs less. */
const DRAIN_MS = 30_000

/** Lets a stopping server come to an end. From the moment that it says so each connection ends with its next answer,
 *  so that whoever keeps one takes it elsewhere. Node closes connections that have had an answer and wait for the next
 *  request, but neither those that browsers open ahead of use and that have sent nothing yet, nor those whose
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
