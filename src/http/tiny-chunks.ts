import type { Server } from 'node:http'

/** A chunk of so many bytes is free. Each shorter one uses up a part of the credit: Node makes an object for each chunk, so
 *  chunks of one byte cost a thousand times as much as their bytes. Programs and proxies send kilobytes. */
const FREE_BYTES = 512
/** No body saves up more, however much it sends before. */
const MOST_CREDIT = 64

/** Ends connections whose body comes in tiny chunks. */
export function endTinyChunks(server: Server): void {
  server.prependListener('request', (request) => {
    if (request.headers['transfer-encoding'] === undefined) return
    let credit = MOST_CREDIT
    const push = request.push.bind(request)
    // Node calls this for each chunk as it arrives. A listener would make the body flow before anybody reads it.
    request.push = (chunk: Buffer | null, encoding) => {
      if (chunk) credit = Math.min(MOST_CREDIT, credit + chunk.length / FREE_BYTES) - 1
      if (credit >= 0) return push(chunk, encoding)
      request.socket.destroy()
      return false
    }
  })
}
