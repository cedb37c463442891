import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitUntil } from '../testing/wait.ts'
import { readInPieces } from './read-in-pieces.ts'

let server: Server
/** For each request its address, the bytes of its body, and the number of pieces in which they came. */
let requests: { url: string; bytes: number; pieces: number }[]

beforeEach(async () => {
  requests = []
  server = createServer((request, response) => {
    const seen = { url: request.url!, bytes: 0, pieces: 0 }
    requests.push(seen)
    request.on('data', (chunk: Buffer) => {
      seen.bytes += chunk.length
      seen.pieces++
    })
    request.on('end', () => response.end('ok'))
  })
  readInPieces(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => void server.closeAllConnections())

/** Sends these bytes on one connection, in blocks of so many. */
async function send(bytes: Buffer, block = bytes.length): Promise<void> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.resume()
  for (let start = 0; start < bytes.length; start += block) {
    socket.write(bytes.subarray(start, start + block))
    if (block < bytes.length) await new Promise(setImmediate)
  }
}

const LINES = Buffer.alloc(1_000_000, '\r\n\r\n')
const get = (number: number) => `GET /${number} HTTP/1.1\r\nhost: a\r\n\r\n`

test('a body of empty lines comes in as few pieces as any other', async () => {
  await send(
    Buffer.concat([
      Buffer.from(`POST /a HTTP/1.1\r\nhost: a\r\ncontent-length: ${LINES.length}\r\n\r\n`),
      LINES,
    ]),
  )
  await waitUntil('the body', async () => requests[0]?.bytes === LINES.length)
  // Node reads up to 64 KB at once, and mostly that much.
  expect(requests[0]!.pieces).toBeLessThan(200)
})

test('a body of empty lines in chunks comes in pieces of about a kilobyte at least', async () => {
  const chunk = `${(50_000).toString(16)}\r\n${'\r\n\r\n'.repeat(12_500)}\r\n`
  await send(
    Buffer.from(
      `POST /a HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(20)}0\r\n\r\n`,
    ),
  )
  await waitUntil('the body', async () => requests[0]?.bytes === 1_000_000)
  expect(requests[0]!.pieces).toBeLessThan(1_500)
})

test('requests before and behind bodies are all read, however they are cut', async () => {
  const post = 'POST /post HTTP/1.1\r\nhost: a\r\ncontent-length: 12\r\n\r\nab\r\n\r\ncd\r\n\r\n'
  const large = `POST /large HTTP/1.1\r\nhost: a\r\ncontent-length: 8000\r\n\r\n${'\r\n\r\n'.repeat(2_000)}`
  const all = [get(1), post, get(2), large, get(3), post, large, get(4)]
  const expected = all.map((text) => /\/(\w+)/.exec(text)![0])
  for (const block of [all.join('').length, 700, 61, 13]) {
    requests = []
    await send(Buffer.from(all.join('')), block)
    await waitUntil('all requests', async () => requests.length === all.length)
    expect(requests.map(({ url }) => url)).toEqual(expected)
    await waitUntil('all bodies', async () => requests.reduce((sum, { bytes }) => sum + bytes, 0) === 16_024)
  }
})
