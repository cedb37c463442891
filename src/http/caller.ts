import { isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** The network that a caller is counted by: an IPv4 address, or the first 64 bits of an IPv6 address. One IPv6 line
 *  has at least 2^64 addresses and can use another one for each call. IPv4 within IPv6 (::ffff:192.0.2.7) is IPv4.
 *  Some proxies add the port, which is another one for each connection.
 *  @param address of a socket or from a trusted proxy; text that is no address is returned as it is. A socket
 *  that was closed has none any more */
export function callerNetwork(address = ''): string {
  const [withoutZone = ''] = withoutPort(address).split('%')
  if (!isIPv6(withoutZone)) return withoutPort(address)
  const groups = groupsOf(withoutZone)
  const isIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isIPv4)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** `203.0.113.5:1234`, `[2001:db8::1]:443` or `[2001:db8::1]` without what is not the address. */
function withoutPort(address: string): string {
  const [, inBrackets, withPort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? []
  return inBrackets ?? withPort ?? address
}

/** The eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // URL writes the groups of each spelling in hexadecimal, with at most one "::".
  const shortened = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = shortened.split('::').map((part) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16)),
  )
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

const signals = new WeakMap<FastifyReply, AbortSignal>()

/** Aborts when the caller has hung up, or has got the answer. Fastify's `request.signal` cannot be used for that: it aborts
 *  when the body has been read. All calls of a batch share it. */
export function hungUp(reply: FastifyReply): AbortSignal {
  const known = signals.get(reply)
  if (known) return known
  const { raw } = reply
  const closing = new AbortController()
  if (raw.destroyed) closing.abort(callerHungUp())
  else raw.once('close', () => closing.abort(callerHungUp()))
  signals.set(reply, closing.signal)
  return closing.signal
}

/** Nobody reads it. */
export const callerHungUp = () => new AppError('TIMEOUT', 'The caller has hung up')

/** The beginning of all addresses in an answer, without a slash at its end: PUBLIC_URL, or the address that the request
 *  was sent to. Empty when neither is known: HTTP/1.0 allows a request without a host. */
export function originOf({ publicUrl }: { publicUrl: string | undefined }, request: FastifyRequest): string {
  if (publicUrl || !request.host) return publicUrl ?? ''
  return `${request.protocol === 'https' ? 'https' : 'http'}://${request.host}`
}
