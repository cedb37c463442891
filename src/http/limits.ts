import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyHttpOptions, FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { callerHungUp } from './caller.ts'
import type { Readiness } from './readiness.ts'

/** JSON bodies hold a name, an address or a password. */
const BODY_MAX_BYTES = 64 * 1024

/** Calls in one tRPC request. The web app sends one; other clients may send several together. */
export const MAX_BATCH = 10

/** What connections and requests may take. Node keeps these limits. */
export interface Limits {
  /** Open connections. A proxy, or the system, answers above it. */
  connections: number
  /** Requests of a connection. */
  requestsOfConnection: number
  /** Requests of a connection that are not answered yet. One with more is closed: browsers and proxies wait for each answer. */
  unanswered: number
  /** Ms without a byte in either direction, after which a connection is closed. */
  silence: number
  /** Ms within which the headers of a request have to arrive. */
  headers: number
  /** Ms within which the whole request has to arrive. */
  request: number
  /** Ms within which the pictures of a selfie's form have to arrive once there is room for them. */
  selfie: number
  /** Ms between Node's checks of headers and requests. */
  checkEvery: number
}

export const LIMITS: Limits = {
  // A page keeps one open. Each needs a few kilobytes, and at most a body of JSON.
  connections: 10_000,
  // Node closes the connection after the last one, and browsers open another.
  requestsOfConnection: 100,
  unanswered: 2,
  silence: 120_000,
  headers: 60_000,
  // A batch of 75 MB then needs 0.7 Mbit/s.
  request: 900_000,
  // A selfie of 3 MB then needs 0.5 Mbit/s. Meanwhile others wait for its room.
  selfie: 45_000,
  checkEvery: 30_000,
}

/** How many ms a stopping server waits for running requests; a batch of photos needs less. */
const DRAIN_MS = 30_000

/** The limits that Fastify sets on Node's server. */
export function serverLimits(limits: Limits) {
  return {
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: limits.request,
    connectionTimeout: limits.silence,
    maxRequestsPerSocket: limits.requestsOfConnection,
    http: { headersTimeout: limits.headers, connectionsCheckingInterval: limits.checkEvery },
    clientErrorHandler: answerUnreadable,
    // A stopping server accepts no new connections, but answers requests on its open ones.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  } satisfies FastifyHttpOptions<Server>
}

/** Sets the limits for which Fastify has no option. */
export function limitConnections(app: FastifyInstance, limits: Limits, readiness: Readiness): void {
  const { server } = app
  server.maxConnections = limits.connections
  // Node would answer each further request with 503, and read on.
  server.on('dropRequest', (_request: IncomingMessage, socket: Socket) => socket.destroy())
  limitUnanswered(app, limits.unanswered)
  readRestOfRefusedBodies(app)
  closeWhenStopping(app, readiness)
}

/** Node begins each request as soon as it has arrived. A client may send them without waiting (RFC 9112, section 9.3.2), and
 *  each takes a connection of the database, an open file and a buffer. */
function limitUnanswered(app: FastifyInstance, most: number): void {
  const unanswered = new WeakMap<Socket, number>()
  app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const count = (unanswered.get(socket) ?? 0) + 1
    unanswered.set(socket, count)
    if (count > most) socket.destroy()
    else response.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1))
  })
  // By then all that arrived together has been read, so the requests of a connection that was closed for it cost nothing.
  app.addHook('onRequest', (request, _reply, done) => {
    setImmediate(() => done(request.socket.destroyed ? callerHungUp() : undefined))
  })
}

/** Browsers and proxies may read an answer only after they have sent everything. Node reads on by itself when nobody has
 *  begun to read the body. */
function readRestOfRefusedBodies(app: FastifyInstance): void {
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete || raw.readableLength > 0) raw.unpipe().resume()
    done()
  })
}

/** As soon as the server stops, each connection is closed after its next answer, so that clients continue on another
 *  server. Fastify closes those that wait for another request. This also closes those that browsers opened in advance
 *  and that have sent nothing, and, after DRAIN_MS, those whose other end no longer reads or sends. */
function closeWhenStopping(app: FastifyInstance, readiness: Readiness): void {
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

export const requestTooSlow = () => new AppError('TIMEOUT', 'The request took too long to arrive')

/** The statuses of what Node's parser cannot read as a request, by its codes. */
const UNREADABLE: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Fastify's own answer would not say that the connection is closed, and a client or a proxy would send its next request there. */
function answerUnreadable({ code = '' }: Error & { code?: string }, socket: Socket): void {
  const status = UNREADABLE[code] ?? 400
  if (code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
