import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

const HEAD_END = '\r\n\r\n'
/** Bytes. A body of unknown length may have very many ends of heads, and each piece takes processor time of its own. */
const SHORTEST_PIECE = 1024

/** Gives Node what arrives on a connection in pieces, each with few requests, mostly one. Otherwise Node would read all
 *  requests that came at once, up to 2,500 in 64 KB, before the first of them could stop it. A body whose length is known is
 *  not cut. */
export function readInPieces(server: Server): void {
  const requests = new WeakMap<Socket, IncomingMessage>()
  server.on('request', (request) => requests.set(request.socket, request))
  server.on('connection', (socket) => {
    takeBytesFromNode(socket)
    const push = socket.push.bind(socket)
    /** The request whose body is arriving, and how many bytes of it may still come. */
    let body: { of: IncomingMessage; left: number } | undefined

    /** @returns how many of the next bytes are of that body */
    function takeOfBody(bytes: number): number {
      const request = requests.get(socket)
      if (!request || request.complete) return 0
      if (body?.of !== request) {
        // What waits in the connection may have further requests.
        if (socket.readableLength > 0) return 0
        body = { of: request, left: Number(request.headers['content-length'] ?? 0) }
      }
      const taken = Math.min(bytes, body.left)
      body.left -= taken
      return taken
    }

    socket.push = (chunk: Buffer | null) => {
      if (chunk === null) return push(null)
      let start = 0
      for (;;) {
        const ofBody = takeOfBody(chunk.length - start)
        const end = ofBody > 0 ? start + ofBody : endOfHead(chunk, start)
        if (end === chunk.length || socket.destroyed) return push(chunk.subarray(start))
        push(chunk.subarray(start, end))
        start = end
      }
    }
  })
}

function endOfHead(chunk: Buffer, start: number): number {
  const found = chunk.indexOf(HEAD_END, start + SHORTEST_PIECE)
  return found < 0 ? chunk.length : found + HEAD_END.length
}

/** Node's parser reads a connection directly until somebody listens to its bytes. */
function takeBytesFromNode(socket: Socket): void {
  const listener = () => {}
  socket.on('data', listener)
  socket.off('data', listener)
}
