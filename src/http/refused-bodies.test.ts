import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { waitUntil } from '../testing/wait.ts'
import { buildApp } from './app.ts'
import { ARRIVAL_LIMITS } from './arrival-limits.ts'

let service: TestApp

beforeAll(async () => {
  service = await startTestApp({ work: false })
})
afterAll(() => service?.close())

const SEARCH = '/api/search-in-album'
const CALLS = [
  ['a search without a session', SEARCH, '401 Unauthorized'],
  ['an upload with a wrong owner key', `/api/albums/${'A'.repeat(32)}/upload-photos`, '404 Not Found'],
  ['a call that does not exist', '/api/nothing', '404 Not Found'],
  ['a form where no call takes one', '/trpc/albums.create', '415 Unsupported Media Type'],
] as const

interface Sender {
  socket: Socket
  /** Everything that was received. */
  received: string
  fault: Error | undefined
}

/** Sends the head of a POST, whose body is still to come. */
function begin(path: string, length: number, headers: string[] = [], url = service.url): Sender {
  const { hostname, port } = new URL(url)
  const sender: Sender = { socket: connect(Number(port), hostname), received: '', fault: undefined }
  sender.socket.on('data', (bytes) => {
    sender.received += bytes
  })
  sender.socket.on('error', (error) => {
    sender.fault = error
  })
  sender.socket.write(headOf(path, length, headers))
  return sender
}

function headOf(path: string, length: number, headers: string[] = []): string {
  const lines = ['content-type: multipart/form-data; boundary=x', `content-length: ${length}`, ...headers]
  return [`POST ${path} HTTP/1.1`, 'host: localhost', ...lines, '', ''].join('\r\n')
}

const answers = (sender: Sender, count: number) =>
  waitUntil('the answer', async () => sender.received.split('HTTP/1.1 ').length === count + 1)

test.each(CALLS)('%s is refused before a byte of its body is sent', async (_what, path, status) => {
  const sender = begin(path, 10_000_000)
  await answers(sender, 1)
  expect(sender.received).toContain(`HTTP/1.1 ${status}`)
  sender.socket.destroy()
})

describe('a client that sends its whole body after it was refused', () => {
  const LENGTH = 5_000_000

  async function sendAll({ socket }: Sender): Promise<void> {
    for (let sent = 0; sent < LENGTH && !socket.destroyed; sent += 100_000)
      await new Promise((sentOn) => socket.write(Buffer.alloc(100_000), sentOn))
  }

  test.each(CALLS)(
    '%s: it gets the answer, and the next one over the same connection',
    async (_what, path) => {
      const sender = begin(path, LENGTH)
      await answers(sender, 1)
      await sendAll(sender)
      sender.socket.write(headOf(SEARCH, 0))
      await answers(sender, 2)
      expect(sender.fault).toBeUndefined()
      sender.socket.destroy()
    },
  )

  test('its connection is closed only then, when it asked for that', async () => {
    const sender = begin(SEARCH, LENGTH, ['connection: close'])
    await answers(sender, 1)
    await sendAll(sender)
    await waitUntil('the end', async () => sender.socket.closed)
    expect(sender.fault).toBeUndefined()
  })
})

describe('the connection of a refused caller is closed', () => {
  const ENDLESS = 1_000_000_000
  let url: string
  let impatient: FastifyInstance
  beforeAll(async () => {
    const refusedBody = { ms: 1_000, idleMs: 300 }
    impatient = await buildApp(service.context.services, { ...ARRIVAL_LIMITS, refusedBody })
    url = await impatient.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => impatient.close())

  test('when it sends nothing more', async () => {
    const { socket } = begin(SEARCH, ENDLESS, [], url)
    await waitUntil('the end', async () => socket.closed)
  })

  test('when it sends on and on', async () => {
    const { socket } = begin(SEARCH, ENDLESS, [], url)
    const sendOn = () => socket.write(Buffer.alloc(1000), (error) => error || setImmediate(sendOn))
    sendOn()
    await waitUntil('the end', async () => socket.closed)
    expect(socket.bytesWritten).toBeLessThan(ENDLESS)
  })
})
