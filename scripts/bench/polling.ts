import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What is requested: an address, and the sessions that ask for it in turn. */
export interface Poll {
  url: URL
  /** Values of the cookie header; empty for requests without a session. */
  cookies: string[]
}

export interface PollingRun {
  answers: number
  /** Ms of each answer, the shortest first. */
  latencies: number[]
}

/** Requests again and again, on each connection as soon as the last answer is complete. It uses plain sockets, since
 *  Node's HTTP client needs more processor time than the server that is measured.
 *  @throws Error on any answer but 200 */
export async function pollAsFastAsPossible(
  poll: Poll,
  connections: number,
  seconds: number,
): Promise<PollingRun> {
  const until = performance.now() + seconds * 1000
  const latencies: number[] = []
  const pollers = await openPollers(poll, connections)
  const pollOn = async (poller: Poller) => {
    while (performance.now() < until) {
      const sentAt = performance.now()
      await poller.ask()
      latencies.push(performance.now() - sentAt)
    }
    poller.close()
  }
  await Promise.all(pollers.map(pollOn))
  return runOf(latencies)
}

/** Requests at a fixed rate, however slowly the server answers, as visitors do who know nothing of each other. A latency
 *  counts from the moment when the request was due. So it contains the wait for a free connection, too.
 *  @throws Error on any answer but 200 */
export async function pollAtRate(
  poll: Poll,
  { perSecond, connections, seconds }: { perSecond: number; connections: number; seconds: number },
): Promise<PollingRun> {
  const free = await openPollers(poll, connections)
  const latencies: number[] = []
  const due: number[] = []
  const answered: Promise<void>[] = []
  const total = perSecond * seconds
  const pollOn = async (poller: Poller) => {
    for (let dueAt = due.shift(); dueAt !== undefined; dueAt = due.shift()) {
      await poller.ask()
      latencies.push(performance.now() - dueAt)
    }
    free.push(poller)
  }
  const start = performance.now()
  for (let planned = 0; planned < total; ) {
    await pause(1)
    const passed = Math.min(total, Math.floor(((performance.now() - start) / 1000) * perSecond))
    for (; planned < passed; planned++) due.push(start + (planned / perSecond) * 1000)
    for (const poller of free.splice(0, due.length)) answered.push(pollOn(poller))
  }
  await Promise.all(answered)
  for (const poller of free) poller.close()
  return runOf(latencies)
}

function runOf(latencies: number[]): PollingRun {
  return { answers: latencies.length, latencies: latencies.sort((one, other) => one - other) }
}

/** The latency that this share of the answers does not exceed. */
export function percentile({ latencies }: PollingRun, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!
}

interface Poller {
  /** Sends a request and waits for its whole answer. */
  ask(): Promise<void>
  close(): void
}

/** Opens connections. The first has the first session, and so on in turn. */
async function openPollers({ url, cookies }: Poll, connections: number): Promise<Poller[]> {
  const open = async (_: unknown, index: number) => {
    const cookie = cookies[index % cookies.length]
    const head = [`GET ${url.pathname}${url.search} HTTP/1.1`, `host: ${url.host}`]
    const request = `${[...head, ...(cookie ? [`cookie: ${cookie}`] : [])].join('\r\n')}\r\n\r\n`
    return await openPoller(url, request)
  }
  return await Promise.all(Array.from({ length: connections }, open))
}

async function openPoller(url: URL, request: string): Promise<Poller> {
  let answer = ''
  let waiting: PromiseWithResolvers<void> | undefined
  let socket = await open()

  async function open(): Promise<Socket> {
    const opened = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
    await once(opened, 'connect')
    opened.setEncoding('latin1').on('data', (chunk: string) => {
      answer += chunk
      const wanted = lengthOf(answer)
      if (wanted === undefined || answer.length < wanted) return
      if (answer.startsWith('HTTP/1.1 200')) waiting?.resolve()
      else waiting?.reject(new Error(answer))
    })
    const lost = () => {
      if (opened === socket) waiting?.reject(new Error('The server has closed the connection'))
    }
    opened.on('close', lost).on('error', lost)
    return opened
  }

  return {
    async ask() {
      if (/^connection: close/im.test(answer)) {
        socket.destroy()
        socket = await open()
      }
      answer = ''
      waiting = Promise.withResolvers()
      socket.write(request)
      await waiting.promise
    },
    close: () => void socket.end(),
  }
}

/** The length of the whole answer; undefined until its head has arrived. */
function lengthOf(answer: string): number | undefined {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const body = /^content-length: (\d+)/im.exec(answer)?.[1]
  return headEnd + 4 + Number(body ?? 0)
}
