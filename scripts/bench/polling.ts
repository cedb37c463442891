import { once } from 'node:events'
import { connect } from 'node:net'

export interface PollingRun {
  perSecond: number
  /** Milliseconds. */
  p99: number
}

/** Requests one address again and again, on each connection as soon as the last answer is complete. It uses plain
 *  sockets, since Node's HTTP client needs more processor time than the server that is measured.
 *  @throws Error on any answer but 200 */
export async function poll(address: string, connections: number, seconds: number): Promise<PollingRun> {
  const latencies: number[] = []
  const until = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, () => pollOnOneConnection(new URL(address), until, latencies)),
  )
  latencies.sort((one, other) => one - other)
  return { perSecond: latencies.length / seconds, p99: latencies[Math.floor(latencies.length * 0.99)]! }
}

async function pollOnOneConnection(url: URL, until: number, latencies: number[]): Promise<void> {
  const request = `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  await once(socket, 'connect')
  let answer = ''
  let sentAt = 0
  const ask = () => {
    answer = ''
    sentAt = performance.now()
    socket.write(request)
  }
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    answer += chunk
    const wanted = lengthOf(answer)
    if (wanted === undefined || answer.length < wanted) return
    const now = performance.now()
    if (!answer.startsWith('HTTP/1.1 200')) return void socket.destroy(new Error(answer))
    latencies.push(now - sentAt)
    if (now < until) ask()
    else socket.end()
  })
  socket.on('end', () => {
    if (performance.now() < until) socket.destroy(new Error('The server has closed the connection'))
  })
  ask()
  await once(socket, 'close')
}

/** The length of the whole answer; undefined until its head has arrived. */
function lengthOf(answer: string): number | undefined {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const body = /^content-length: (\d+)/im.exec(answer)?.[1]
  return headEnd + 4 + Number(body ?? 0)
}
