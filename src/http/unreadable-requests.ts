import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, HTTP_STATUS } from '../errors.ts'
import type { Log } from '../log.ts'

export const requestTooSlow = () => new AppError('TIMEOUT', 'The request took too long to arrive')

/** The errors for which Node's HTTP parser ends a connection before there is a request, by its codes. */
const FAULTS: Record<string, AppError> = {
  HPE_HEADER_OVERFLOW: new AppError('PAYLOAD_TOO_LARGE', "The request's headers are too large"),
  ERR_HTTP_REQUEST_TIMEOUT: requestTooSlow(),
}
const UNREADABLE = new AppError('BAD_REQUEST', 'The request could not be read')

/** Answers bytes that are not a readable request. The body is like that of every other error. Ends the connection. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket, log: Log): void {
  log.debug({ err: error }, 'A request could not be read')
  // The client is gone.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  endWith(FAULTS[error.code ?? ''] ?? UNREADABLE, socket)
}

/** Answers a request whose body has not arrived in time, and closes its connection. */
export function answerTooSlow(socket: Socket): void {
  if (socket.writable) endWith(requestTooSlow(), socket)
  // The client must not keep its side open, and the bytes that have arrived in memory.
  socket.destroySoon()
}

function endWith({ code, message }: AppError, socket: Socket): void {
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
