import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type FastifyInstance, fastify } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient } from '../testing/client.ts'
import { sendPipelined } from '../testing/pipelined.ts'
import { waitUntil } from '../testing/wait.ts'
import { buildApp } from './app.ts'
import { LIMITS, limitConnections, serverLimits } from './limits.ts'

const service = await appOfFile({ work: false })

test('connections with many pipelined requests are closed, and none of these is begun; others are served', async () => {
  const floods = await Promise.all(
    Array.from({ length: 8 }, () => sendPipelined(service.url, { path: '/api/albums/list', count: 9_000 })),
  )
  expect((await createClient(service.url).get('/api/albums/list')).status).toBe(200)
  await waitUntil('the ends', async () => floods.every((one) => one.isClosed()))
  for (const one of floods) expect(one.answers()).toBe(0)
})

test('the last answer of a connection tells the client to open another', async () => {
  const path = '/api/albums/list'
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const last: (string | undefined)[] = []
  for (let count = 0; count < LIMITS.requestsOfConnection; count++) {
    const answer = await new Promise<IncomingMessage>((resolve) => {
      request(service.url + path, { agent }, resolve).end()
    })
    last.push(answer.headers.connection)
    await text(answer)
  }
  expect(last.indexOf('close')).toBe(LIMITS.requestsOfConnection - 1)
})

test('a client that does not take its answer loses its connection', async () => {
  const { readiness } = service.context
  const limits = { ...LIMITS, silence: 300 }
  const app: FastifyInstance = fastify(serverLimits(limits))
  onTestFinished(() => app.close())
  limitConnections(app, limits, readiness)
  // More than a system keeps for a connection.
  app.get('/large', async () => 'x'.repeat(16 * 2 ** 20))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const one = await sendPipelined(url, { path: '/large', count: 1, reads: false })
  onTestFinished(one.hangUp)
  const connections = () => new Promise<number>((resolve) => app.server.getConnections((_, n) => resolve(n)))
  await waitUntil('the request', async () => (await connections()) === 1)
  await waitUntil('the end', async () => (await connections()) === 0)
})

describe('a form that is refused before its end', () => {
  const LENGTH = 5_000_000
  const SEARCH = '/api/search-in-album'
  const CALLS = [
    ['an upload with a wrong owner key', `/api/albums/${'A'.repeat(32)}/upload-photos`, '404 Not Found'],
    ['a form where no call takes one', '/trpc/albums.create', '415 Unsupported Media Type'],
  ] as const

  const headOf = (path: string, length: number) =>
    [
      `POST ${path} HTTP/1.1`,
      'host: localhost',
      'content-type: multipart/form-data; boundary=x',
      `content-length: ${length}`,
      '',
      '',
    ].join('\r\n')

  async function sendAll(socket: Socket): Promise<void> {
    for (let sent = 0; sent < LENGTH && !socket.destroyed; sent += 100_000)
      await new Promise((sentOn) => socket.write(Buffer.alloc(100_000), sentOn))
  }

  test.each(CALLS)(
    '%s: the client gets the answer before it has sent all, and the next one over the same connection',
    async (_what, path, status) => {
      const { hostname, port } = new URL(service.url)
      const socket = connect(Number(port), hostname)
      onTestFinished(() => void socket.destroy())
      let received = ''
      socket.on('data', (bytes) => {
        received += bytes
      })
      const answers = (count: number) =>
        waitUntil('the answer', async () => received.split('HTTP/1.1 ').length === count + 1)
      socket.write(headOf(path, LENGTH))
      await answers(1)
      expect(received).toContain(`HTTP/1.1 ${status}`)
      await sendAll(socket)
      socket.write(headOf(SEARCH, 0))
      await answers(2)
    },
  )
})

test('a stopping server closes connections that were opened in advance, and answers what has begun', async () => {
  const { context } = service
  let isStopping = false
  const readiness = { ...context.readiness, isStopping: () => isStopping }
  const app = await buildApp({ ...context, readiness })
  const begun = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  app.get('/slow', async () => {
    begun.resolve()
    await ending.promise
    return 'done'
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const early = connect(Number(new URL(url).port), '127.0.0.1')
  const isClosed = new Promise((resolve) => early.once('close', resolve))
  const answer = fetch(`${url}/slow`)
  await begun.promise
  isStopping = true
  const closing = app.close()
  await isClosed
  ending.resolve()
  expect(await (await answer).text()).toBe('done')
  await closing
})
