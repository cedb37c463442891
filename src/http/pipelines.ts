import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { atMostEvery } from '../at-most-every.ts'
import type { Log } from '../log.ts'

interface Waiting {
  response: ServerResponse
  begin(): void
}

const WARNING_EVERY_MS = 60_000

export interface Pipelines {
  /** Begins a request when all earlier ones of its connection have been answered. It never begins when the connection
   *  ends before. */
  begin(response: ServerResponse, begin: () => void): void
}

/** Works on the requests of each connection one at a time, as most servers do. A client may send the next requests
 *  before it has the answer (RFC 9112, section 9.3.2). While one of these waits, nothing more is read from the
 *  connection.
 *  @param most connections with requests that wait. Above it the one with most bytes of these is closed; its client may
 *    send the unanswered ones again. */
export function createPipelines(most: number, log: Log): Pipelines {
  /** The connections with a request in work, and what waits behind it. */
  const lines = new Map<Socket, Waiting[]>()
  /** Connections with requests that wait. */
  let ahead = 0

  function work(socket: Socket, { response, begin }: Waiting): void {
    // In a later turn of the event loop. Otherwise all requests that are answered at once would be worked on in one turn.
    response.once('close', () => setImmediate(goOn, socket))
    begin()
  }

  function goOn(socket: Socket): void {
    // A connection that can send nothing more gets no further answer.
    const line = socket.writable ? (lines.get(socket) ?? []) : []
    const next = line.shift()
    if (next) {
      if (line.length === 0) {
        ahead--
        readOn(socket)
      }
      work(socket, next)
    } else forget(socket)
  }

  function forget(socket: Socket): void {
    if (lines.get(socket)?.length) ahead--
    lines.delete(socket)
  }

  const warn = atMostEvery(WARNING_EVERY_MS, async () =>
    log.warn(
      'A client had sent too many requests ahead of their answers. Its connection was closed. ' +
        'This is logged at most once a minute.',
    ),
  )

  function closeLongest(): void {
    if (ahead <= most) return
    const waiting = [...lines].flatMap(([socket, line]) => (line.length > 0 ? [socket] : []))
    const socket = waiting.reduce((a, b) => (b.readableLength > a.readableLength ? b : a))
    void warn()
    forget(socket)
    socket.destroy()
  }

  return {
    begin(response, begin) {
      const { socket } = response.req
      if (socket.destroyed) return
      const line = lines.get(socket)
      if (!line) {
        lines.set(socket, [])
        return work(socket, { response, begin })
      }
      line.push({ response, begin })
      if (line.length > 1) return
      ahead++
      stopReading(socket)
      // Later, when it has been seen how many bytes came with it.
      if (ahead > most) setImmediate(closeLongest)
    },
  }
}

/** Node reads on by itself when a request's body is wanted, and that is never a body behind the ones that wait. */
function stopReading(socket: Socket): void {
  socket.pause()
  socket.resume = () => socket
}

function readOn(socket: Socket): void {
  // Without the property of its own, the connection has the method of its class again.
  Reflect.deleteProperty(socket, 'resume')
  socket.resume()
}
