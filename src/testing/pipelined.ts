import { once } from 'node:events'
import { connect } from 'node:net'

/** A connection on which requests are sent without waiting for their answers. */
export type Pipeline = Awaited<ReturnType<typeof sendPipelined>>

/** Opens a connection and sends the same GET many times, all at once.
 *  @param address the network address that the service sees
 *  @param further requests, as they are sent
 *  @param reads false: never takes an answer */
export async function sendPipelined(
  url: string,
  {
    path,
    count,
    address = '127.0.0.1',
    further = '',
    reads = true,
  }: { path: string; count: number; address?: string; further?: string; reads?: boolean },
) {
  const { port, host } = new URL(url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  // The service may close the connection.
  socket.on('error', () => {})
  let text = ''
  if (reads)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
  const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${address}\r\n\r\n`
  socket.write(request.repeat(count) + further)
  return {
    /** How many answers have begun to arrive. */
    answers: () => text.split('HTTP/1.1 ').length - 1,
    isClosed: () => socket.closed,
    hangUp: () => void socket.destroy(),
  }
}

/** Opens a connection and sends one POST.
 *  @param length the bytes that it announces; the body may have fewer */
export function sendPost(
  url: string,
  {
    address,
    path,
    length,
    body,
    type = 'application/json',
  }: { address: string; path: string; length: number; body: string; type?: string },
): Promise<Pipeline> {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    `x-forwarded-for: ${address}`,
    `content-type: ${type}`,
    `content-length: ${length}`,
    '',
    body,
  ]
  return sendPipelined(url, { path, count: 0, further: lines.join('\r\n') })
}
