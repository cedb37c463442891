import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { addListedAlbums } from '../testing/album-rows.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { type Pipeline, sendPipelined } from '../testing/pipelined.ts'
import { waitUntil } from '../testing/wait.ts'
import { ARRIVAL_LIMITS } from './arrival-limits.ts'
import { handleErrors } from './errors.ts'
import { limitRequestsInWork, type WorkLimits } from './requests-in-work.ts'

const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

async function pipeline(url: string, options: Parameters<typeof sendPipelined>[1]): Promise<Pipeline> {
  const opened = await sendPipelined(url, options)
  closings.push(opened.hangUp)
  return opened
}

interface SmallServer {
  url: string
  logged: string[]
  /** Requests for /slow that are worked on, and how many were at most and in all. */
  slow: { inWork: number; most: number; begun: number }
  connections(): Promise<number>
}

/** A server with three routes. Each /slow takes some time, and each /large sends 16 MB: more than the system keeps for a
 *  connection. */
async function serve(
  limits: Partial<WorkLimits> = {},
  someTime: () => Promise<unknown> = () => pause(5),
): Promise<SmallServer> {
  const logged: string[] = []
  const log = createLog('warn', { write: (line) => void logged.push(line) })
  const app: FastifyInstance = fastify({ trustProxy: true, forceCloseConnections: true })
  handleErrors(app)
  limitRequestsInWork(app, { ...ARRIVAL_LIMITS.work, ...limits }, log)
  const slow = { inWork: 0, most: 0, begun: 0 }
  const answerSlowly = async () => {
    slow.begun++
    slow.most = Math.max(slow.most, ++slow.inWork)
    await someTime()
    slow.inWork--
    return 'done'
  }
  app.get('/slow', answerSlowly)
  app.post('/slow', answerSlowly)
  app.get('/large', async () => 'x'.repeat(16 * 2 ** 20))
  app.get('/healthz', async () => 'alive')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  closings.push(() => app.close())
  const connections = () => new Promise<number>((resolve) => app.server.getConnections((_, n) => resolve(n)))
  return { url, logged, slow, connections }
}

/** @returns the status of each answer */
function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
}

function get(url: string, path: string, address: string, agent?: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': address }
    const call = request(url + path, { headers, ...(agent && { agent }) }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode!))
    })
    call.on('error', reject)
    call.end()
  })
}

describe('requests that a client sends without waiting for answers', () => {
  test('are all answered, one at a time', async () => {
    const { url, slow } = await serve()
    const many = await pipeline(url, { path: '/slow', count: 100 })
    await waitUntil('all answers', async () => many.answers() === 100)
    expect(slow.most).toBe(1)
    expect(statusesIn(many.text())).toEqual(Array(100).fill(200))
  })

  test('are all answered in order, also when there are more than Node reads at once', async () => {
    const { url } = await serve()
    const many = await pipeline(url, { path: '/healthz', count: 8_000 })
    await waitUntil('all answers', async () => many.answers() === 8_000, 30_000)
    expect(many.isClosed()).toBe(false)
  })

  test('are answered in order when some have bodies, are refused by Node itself, or are the last', async () => {
    const { url } = await serve()
    const post = `POST /slow HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 90000\r\n\r\n${'x'.repeat(90_000)}`
    const further = [
      post,
      'GET /slow HTTP/1.1\r\nhost: a\r\nexpect: a miracle\r\n\r\n',
      post,
      'GET /nothing HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    ]
    const lines = await pipeline(url, { path: '/slow', count: 3, further })
    await waitUntil('the end of the connection', async () => lines.isClosed())
    expect(statusesIn(lines.text())).toEqual([200, 200, 200, 200, 417, 200, 404])
  })

  test('do not begin any more when the client has hung up', async () => {
    let end = () => {}
    const untilEnd = () =>
      new Promise<void>((resolve) => {
        end = resolve
      })
    const { url, slow, connections } = await serve({}, untilEnd)
    const many = await pipeline(url, { path: '/slow', count: 1_000 })
    await waitUntil('the first one', async () => slow.begun === 1)
    many.hangUp()
    // The service notices when it answers.
    await waitUntil('the service to notice', async () => {
      end()
      return (await connections()) === 0
    })
    const { begun } = slow
    end()
    await waitUntil('its end', async () => slow.inWork === 0)
    // The next one would begin before these are answered.
    for (let count = 0; count < 3; count++) await get(url, '/healthz', '192.0.2.8')
    expect(slow.begun).toBe(begun)
  })

  test('stop the service from reading on', async () => {
    const { url, slow } = await serve()
    const sent: Pipeline[] = []
    for (let count = 0; count < 5; count++)
      sent.push(await pipeline(url, { path: '/slow?'.padEnd(4_000, 'x'), count: 10_000 }))
    await waitUntil('an answer for each', async () => sent.every((one) => one.answers() > 3))
    expect(slow.most).toBe(5)
    // 40 MB each. What the systems of both ends keep for a connection is a few MB.
    for (const one of sent) expect(one.unsentBytes()).toBeGreaterThan(20_000_000)
  })

  test('end the connection with most of them, when too many connections have some', async () => {
    const { url, logged } = await serve({ ahead: 1 })
    const few = await pipeline(url, { path: '/slow', count: 50 })
    for (let count = 0; count < 2; count++) {
      const many = await pipeline(url, { path: '/slow', count: 1_000 })
      await waitUntil('the end of a connection', async () => many.isClosed())
    }
    await waitUntil('the other answers', async () => few.answers() === 50)
    expect(logged).toHaveLength(1)
  })
})

describe('requests of many connections', () => {
  test('only so many are worked on, and a network with one request does not wait for all of another', async () => {
    const ending = Promise.withResolvers<void>()
    const limits = { places: 4, perCaller: 3, holdMs: 60_000 }
    const { url, slow, connections } = await serve(limits, () => ending.promise)
    const crowd = Array.from({ length: 100 }, () => get(url, '/slow', '192.0.2.7'))
    await waitUntil('the crowd', async () => slow.inWork === 3 && (await connections()) === 100)
    const other = get(url, '/slow', '192.0.2.8')
    await waitUntil('the other request', async () => slow.inWork === 4)
    ending.resolve()
    expect(await Promise.all([other, ...crowd])).toEqual(Array(101).fill(200))
    expect(slow.most).toBe(4)
  })

  test('one that waits for something gives its place back, so that others go on', async () => {
    const ending = Promise.withResolvers<void>()
    const { url, slow } = await serve({ places: 1, perCaller: 1, holdMs: 1 }, () => ending.promise)
    const calls = [1, 2].map(() => get(url, '/slow', '192.0.2.7'))
    await waitUntil('both', async () => slow.inWork === 2)
    ending.resolve()
    expect(await Promise.all(calls)).toEqual([200, 200])
  })

  test('when too many wait, others are refused, and monitoring still gets its answer', async () => {
    const ending = Promise.withResolvers<void>()
    const limits = { places: 1, perCaller: 1, waiting: 5, holdMs: 60_000 }
    const { url } = await serve(limits, () => ending.promise)
    const answers: number[] = []
    const calls = Array.from({ length: 40 }, async () => answers.push(await get(url, '/slow', '192.0.2.7')))
    await waitUntil('the refusals', async () => answers.length === 34)
    expect(await get(url, '/healthz', '192.0.2.7')).toBe(200)
    ending.resolve()
    await Promise.all(calls)
    expect(answers).toEqual([...Array(34).fill(503), ...Array(6).fill(200)])
  })
})

describe('requests whose bodies are still to come', () => {
  const post = (length: number, body: string, address = '192.0.2.7') =>
    `POST /slow HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${address}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`
  const send = (url: string, ...further: string[]) => pipeline(url, { path: '/', count: 0, further })
  const { bodies } = ARRIVAL_LIMITS.work

  test('take no place', async () => {
    const { url, slow } = await serve({ places: 2, perCaller: 1, holdMs: 60_000, longHoldMs: 60_000 })
    for (let count = 0; count < 10; count++) await send(url, post(10, '"', `192.0.2.${count % 5}`))
    await send(url, post(10, '"').replace('application/json', 'multipart/form-data; boundary=a'))
    for (const address of ['192.0.2.0', '192.0.2.1', '192.0.2.8'])
      expect(await get(url, '/slow', address)).toBe(200)
    expect(slow.begun).toBe(3)
  })

  test('take one when their bodies have come, or when they have none', async () => {
    const { url, slow } = await serve({ places: 2, perCaller: 2 })
    const sent: Pipeline[] = []
    for (let count = 0; count < 20; count++) {
      sent.push(await send(url, post(4, '"')))
      sent.push(await send(url, post(0, '').replace('content-type: application/json\r\n', '')))
    }
    const withBodies = await Promise.all(Array.from({ length: 20 }, () => send(url, post(4, '"ab"'))))
    await waitUntil('all answers', async () => withBodies.every((one) => one.answers() === 1))
    await waitUntil('the other answers', async () => slow.begun === 40)
    expect(slow.most).toBe(2)
  })

  test('lose the largest and oldest of the network that keeps most of them, when they need too much memory', async () => {
    const { url, logged } = await serve({ bodies: { ...bodies, bytes: 250_000, bytesPerCaller: 190_000 } })
    const honest = await send(url, post(60_000, '"', '192.0.2.8'))
    const small = await send(url, post(60, '"'))
    const greedy: Pipeline[] = []
    for (let count = 0; count < 5; count++) greedy.push(await send(url, post(60_000, '"')))
    await waitUntil('two ends', async () => greedy.filter((one) => one.isClosed()).length === 2)
    const other = await send(url, post(60_000, '"', '192.0.2.9'))
    await waitUntil('a third end', async () => greedy.slice(0, 3).every((one) => one.isClosed()))
    expect(logged).toHaveLength(1)
    expect([honest, small, other, ...greedy.slice(3)].filter((one) => one.isClosed())).toEqual([])
  })

  test('count until they are answered, and no longer', async () => {
    const { url, logged } = await serve({ bodies: { ...bodies, bytesPerCaller: 190_000 } })
    for (let count = 0; count < 10; count++) {
      const one = await send(url, post(60_000, `"${'x'.repeat(59_998)}"`))
      await waitUntil('the answer', async () => one.answers() === 1)
    }
    expect(logged).toEqual([])
  })

  test('get a 408 when these take too long, and their connections are closed', async () => {
    const { url } = await serve({ bodies: { ...bodies, ms: 100 } })
    const late = await send(url, post(10, '"'))
    await waitUntil('the end', async () => late.isClosed())
    expect(statusesIn(late.text())).toEqual([408])
  })
})

describe('answers that their clients do not take', () => {
  test('end their connections when they need too much memory, those of the greediest network first', async () => {
    const { url, logged } = await serve({ unsentBytes: 40 * 2 ** 20, lookEvery: 20 })
    const honest = await pipeline(url, { path: '/large', count: 1, address: '192.0.2.8', reads: false })
    const greedy = await Promise.all(
      Array.from({ length: 4 }, () =>
        pipeline(url, { path: '/large', count: 3, address: '192.0.2.7', reads: false }),
      ),
    )
    await waitUntil('a connection to be closed', async () => logged.length > 0)
    for (const one of [honest, ...greedy]) one.readOn()
    await waitUntil('the whole answer', async () => honest.bytes() > 16 * 2 ** 20)
    await waitUntil('the ends', async () => greedy.some((one) => one.isClosed()))
    expect(honest.isClosed()).toBe(false)
  })
})

describe('the whole service', () => {
  let service: TestApp
  beforeAll(async () => {
    service = await startTestApp({ work: false })
    await addListedAlbums(service.context.services.db, 'event', 6)
  })
  afterAll(() => service?.close())

  test('answers a hall of 500 guests behind one address, with six requests each', async () => {
    // More connections at once than the system lets wait for a busy process would be reset.
    const agent = new Agent({ keepAlive: true, maxSockets: 500 })
    const calls = Array.from({ length: 3_000 }, (_, index) =>
      get(service.url, `/api/albums/auth-status/event-${1 + (index % 6)}`, '198.51.100.7', agent),
    )
    const answers = await Promise.all(calls)
    agent.destroy()
    expect(answers.filter((status) => status !== 200)).toEqual([])
  })
})
