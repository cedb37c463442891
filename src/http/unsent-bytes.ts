import type { ServerResponse } from 'node:http'
import type { Log } from '../log.ts'

/** Answers that are not sent completely, and the networks that they are for. */
export interface UnsentBytes {
  watch(response: ServerResponse, network: string): void
  stop(): void
}

/** Bounds the memory of answers that wait for clients who do not take them. Looks at all answers regularly. While they
 *  need more than `most` bytes, the network that needs most of these loses the connection that needs most.
 *  @param every ms between two looks */
export function watchUnsentBytes(most: number, every: number, log: Log): UnsentBytes {
  const answers = new Map<ServerResponse, string>()
  const timer = setInterval(look, every).unref()

  function look(): void {
    let sum = 0
    const unsent = new Map<string, { response: ServerResponse; bytes: number }[]>()
    for (const [response, network] of answers) {
      const bytes = response.writableLength
      if (bytes === 0) continue
      sum += bytes
      const answersOf = unsent.get(network) ?? []
      answersOf.push({ response, bytes })
      unsent.set(network, answersOf)
    }
    if (sum > most) closeSlowest([...unsent.values()], sum - most)
  }

  function closeSlowest(networks: { response: ServerResponse; bytes: number }[][], excess: number): void {
    for (const answersOf of networks) answersOf.sort((a, b) => a.bytes - b.bytes)
    const sums = networks.map((answersOf) => answersOf.reduce((sum, { bytes }) => sum + bytes, 0))
    let closed = 0
    for (let left = excess; left > 0; closed++) {
      const worst = sums.indexOf(Math.max(...sums))
      const { response, bytes } = networks[worst]!.pop()!
      response.req.socket.destroy()
      sums[worst]! -= bytes
      left -= bytes
    }
    log.warn({ connections: closed }, 'Clients did not take large answers. Their connections were closed.')
  }

  return {
    watch(response, network) {
      answers.set(response, network)
      response.once('close', () => answers.delete(response))
    },
    stop: () => clearInterval(timer),
  }
}
