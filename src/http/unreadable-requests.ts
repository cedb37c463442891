import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, HTTP_STATUS } from '../errors.ts'
import type { Log } from '../log.ts'

/** What Node's HTTP parser gives up on before there is a request, in words. */
const FAULTS: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ['PAYLOAD_TOO_LARGE', "The request's headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ['TIMEOUT', 'The request took too long to arrive'],
}

/** Answers what never became a request with the same body as every other error, and ends the connection. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket, log: Log): void {
  log.debug({ err: error }, 'A request could not be read')
  // Nobody is there to read it.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [code, message] = FAULTS[error.code ?? ''] ?? ['BAD_REQUEST', 'The request could not be read']
  const requestId = randomUUID()
  const body = JSON.stringify({ message, error: message, code, requestId })
  const status = HTTP_STATUS[code]
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
