import { randomUUID } from 'node:crypto'
import secureSession from '@fastify/secure-session'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Grant } from '../albums/access.ts'
import type { Visitor } from '../api/trpc.ts'
import type { Keyring } from '../keyring.ts'
import { SETUP_SECONDS } from '../maintainer/setup-link.ts'
import { callerNetwork } from './caller-network.ts'

declare module '@fastify/secure-session' {
  interface SessionData {
    id: string
    grants: Grant[]
    /** Until when the session has the maintainer's rights, in ms since 1970. */
    maintainerUntil: number
  }
}

const LIFETIME_SECONDS = 30 * 24 * 3600
/** A cookie may have 4096 bytes, and thirty encrypted grants need about 3,000. Older grants are dropped. */
const MAX_GRANTS = 30

/** Adds the encrypted session cookie. */
export async function registerSession(
  app: FastifyInstance,
  options: { keyring: Keyring; secure: boolean },
): Promise<void> {
  await app.register(secureSession, {
    cookieName: 'inframe',
    key: options.keyring.keys('session'),
    expiry: LIFETIME_SECONDS,
    cookie: {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: options.secure,
      maxAge: LIFETIME_SECONDS,
    },
  })
}

export function visitorOf(request: FastifyRequest): Visitor {
  return {
    get grants() {
      return request.session.get('grants') ?? []
    },
    addGrant(grant) {
      const others = this.grants.filter((other) => other.albumId !== grant.albumId)
      request.session.set('grants', [...others, grant].slice(-MAX_GRANTS))
      if (!request.session.get('id')) request.session.set('id', randomUUID())
    },
    address: callerNetwork(request.ip),
    get isMaintainer() {
      return hasMaintainerSession(request)
    },
    becomeMaintainer() {
      request.session.set('maintainerUntil', Date.now() + SETUP_SECONDS * 1000)
    },
    authorization: request.headers.authorization,
    get sessionId() {
      return request.session.get('id')
    },
  }
}

/** Whether a set-up link has given this session the maintainer's rights. */
export function hasMaintainerSession(request: FastifyRequest): boolean {
  // A worker has no sessions.
  const until = request.session?.get('maintainerUntil')
  return until !== undefined && Date.now() < until
}
