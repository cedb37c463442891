import { isIPv4 } from 'node:net'

/** How the maintainer of this Inframe identifies: with ADMIN_TOKEN; with a session that a set-up link opened; or not at
 *  all, because ADMIN_TOKEN is missing. */
export type MaintainerAccess = { kind: 'token'; token: string } | { kind: 'setup-link' } | { kind: 'none' }

/** Set-up links are only for an Inframe that serves its own machine. Once other machines may reach it, only ADMIN_TOKEN
 *  identifies a maintainer. A worker has no pages, so it opens no set-up links. */
export function maintainerAccessOf(settings: {
  adminToken: string | undefined
  host: string
  publicUrl: string | undefined
  role: string
}): MaintainerAccess {
  const { adminToken, host, publicUrl, role } = settings
  if (adminToken !== undefined) return { kind: 'token', token: adminToken }
  const publicHost = publicUrl === undefined ? host : new URL(publicUrl).hostname
  const servesThisMachine = isLoopback(host) && isLoopback(publicHost) && role !== 'worker'
  return { kind: servesThisMachine ? 'setup-link' : 'none' }
}

/** @param host a name or an address; an IPv6 address may be in brackets */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || (isIPv4(host) && host.startsWith('127.'))
}
