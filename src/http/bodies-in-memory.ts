import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { atMostEvery } from '../at-most-every.ts'
import type { Log } from '../log.ts'
import { answerTooSlow } from './unreadable-requests.ts'

export interface BodyLimits {
  /** Bytes of all bodies together, and of those of one network. */
  bytes: number
  bytesPerCaller: number
  /** Ms within which a body has to arrive. */
  ms: number
}

/** Bodies that are kept in memory: while they arrive, while their requests wait, and until these are answered. */
export interface BodiesInMemory {
  /** @returns ends it early, when something else bounds the rest of the body */
  watch(request: FastifyRequest, response: ServerResponse, network: string): () => void
}

const WARNING_EVERY_MS = 60_000

type Bodies = Map<FastifyRequest, number>

/** Bounds the memory of bodies. A body counts as long as it says that it is, also before it arrives. Above the limits the
 *  network with most bytes loses the connection of its largest body. If several are equally large, the oldest loses it.
 *  Honest bodies are small, or arrive soon.
 *  @param longest bytes of a body; a longer one is refused, and one that does not say its length counts as this long */
export function createBodiesInMemory(limits: BodyLimits, longest: number, log: Log): BodiesInMemory {
  const networks = new Map<string, { bytes: number; bodies: Bodies }>()
  let bytes = 0

  function forget(network: string, request: FastifyRequest): void {
    const own = networks.get(network)
    const length = own?.bodies.get(request)
    if (!own || length === undefined) return
    own.bodies.delete(request)
    own.bytes -= length
    bytes -= length
    if (own.bodies.size === 0) networks.delete(network)
  }

  const warn = atMostEvery(WARNING_EVERY_MS, async () =>
    log.warn(
      'Bodies of requests needed too much memory. The connection of the largest one was closed. This is logged at most once a minute.',
    ),
  )

  function closeLargest(network: string): void {
    // The bodies are in the order in which they came.
    const [largest] = [...networks.get(network)!.bodies].reduce((a, b) => (b[1] > a[1] ? b : a))
    void warn()
    forget(network, largest)
    largest.raw.socket.destroy()
  }

  const greediest = () => [...networks].reduce((a, b) => (b[1].bytes > a[1].bytes ? b : a))[0]

  return {
    watch(request, response, network) {
      const { raw } = request
      const length = Math.min(Number(request.headers['content-length'] ?? longest), longest)
      const own = networks.get(network) ?? { bytes: 0, bodies: new Map() }
      networks.set(network, own)
      own.bodies.set(request, length)
      own.bytes += length
      bytes += length
      const timer = setTimeout(() => answerTooSlow(raw.socket), limits.ms)
      const leave = () => {
        clearTimeout(timer)
        forget(network, request)
      }
      raw.once('end', () => clearTimeout(timer))
      response.once('close', leave)
      if (own.bytes > limits.bytesPerCaller) closeLargest(network)
      else if (bytes > limits.bytes) closeLargest(greediest())
      return leave
    },
  }
}
