import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addListedAlbums } from '../testing/album-rows.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { sendPipelined } from '../testing/pipelined.ts'
import { postRaw } from '../testing/raw-call.ts'
import { waitUntil } from '../testing/wait.ts'
import { buildApp } from './app.ts'
import { BODY_MAX_BYTES, LIMITS, limitConnections, serverLimits } from './limits.ts'

let service: TestApp
beforeAll(async () => {
  service = await startTestApp({ work: false })
})
afterAll(() => service?.close())

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
  const { readiness, log } = service.context
  const limits = { ...LIMITS, silence: 300 }
  const app: FastifyInstance = fastify(serverLimits(limits, log))
  onTestFinished(() => app.close())
  limitConnections(app, limits, readiness, log)
  // More than a system keeps for a connection.
  app.get('/large', async () => 'x'.repeat(16 * 2 ** 20))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const one = await sendPipelined(url, { path: '/large', count: 1, reads: false })
  onTestFinished(one.hangUp)
  const connections = () => new Promise<number>((resolve) => app.server.getConnections((_, n) => resolve(n)))
  await waitUntil('the request', async () => (await connections()) === 1)
  await waitUntil('the end', async () => (await connections()) === 0)
})

test('a hall of 300 guests behind one address, with six requests each, is served', async () => {
  await addListedAlbums(service.context.db, 'event', 6)
  const agent = new Agent({ keepAlive: true, maxSockets: 300 })
  onTestFinished(() => agent.destroy())
  const calls = Array.from(
    { length: 1_800 },
    (_, index) =>
      new Promise((resolve, reject) => {
        const url = `${service.url}/api/albums/auth-status/event-${1 + (index % 6)}`
        const headers = { 'x-forwarded-for': '198.51.100.7' }
        const call = request(url, { agent, headers }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode))
        })
        call.on('error', reject).end()
      }),
  )
  expect((await Promise.all(calls)).filter((status) => status !== 200)).toEqual([])
})

test('a body above the limit is refused, with a reason', async () => {
  const json = JSON.stringify({ email: 'a@example.com', albumName: 'x'.repeat(BODY_MAX_BYTES) })
  const headers = { 'content-type': 'application/json' }
  expectError(await postRaw(service.url, '/api/user-albums', headers, json), 413, /body is too large/)
})

describe('a form that is refused before its end', () => {
  const LENGTH = 5_000_000
  const SEARCH = '/api/search-in-album'
  const CALLS = [
    ['a search without a session', SEARCH, '401 Unauthorized'],
    ['an upload with a wrong owner key', `/api/albums/${'A'.repeat(32)}/upload-photos`, '404 Not Found'],
    ['a call that does not exist', '/api/nothing', '404 Not Found'],
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
