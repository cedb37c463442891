import { randomUUID } from 'node:crypto'
import secureSession from '@fastify/secure-session'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SETUP_SECONDS } from '../admin/setup-link.ts'
import type { Grant } from '../albums/access.ts'
import { hasSessionEnded, SESSION_SECONDS } from '../albums/visitor-queries.ts'
import type { Visitor } from '../api/visitor.ts'
import type { Db } from '../database/client.ts'
import type { Keyring } from '../keyring.ts'
import { callerNetwork } from './caller.ts'

declare module '@fastify/secure-session' {
  interface SessionData {
    id: string
    grants: Grant[]
    /** Until when the session has the maintainer's rights, in ms since 1970. */
    maintainerUntil: number
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The visitor has logged out of the session that the cookie holds. It may be a copy of the cookie. */
    hasSessionEnded: boolean
  }
}

/** A cookie may have 4096 bytes, and thirty encrypted grants need about 3,000. Older grants are dropped. */
const MAX_GRANTS = 30

const CALLS = /^\/(api|trpc)\//
/** Where a maintainer's session gives a right. */
const MONITORING = /^\/(readyz|metrics)$/

/** Adds the encrypted session cookie. It holds the grants. The database knows only which sessions have ended. */
export async function registerSession(
  app: FastifyInstance,
  options: { db: Db; keyring: Keyring; secure: boolean },
): Promise<void> {
  await app.register(secureSession, {
    cookieName: 'inframe',
    key: options.keyring.keys('session').map((key) => key.export()),
    expiry: SESSION_SECONDS,
    cookie: {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: options.secure,
      maxAge: SESSION_SECONDS,
    },
  })
  app.decorateRequest('hasSessionEnded', false)
  app.addHook('onRequest', (request, _reply, done) => {
    const { url = '' } = request.routeOptions
    // Photos and the files of the web app are for everybody who has the address, so a session gives no right to them.
    const usesSession = CALLS.test(url) || MONITORING.test(url)
    const id = usesSession ? request.session.get('id') : undefined
    if (id === undefined) return done()
    hasSessionEnded(options.db, id).then(
      (hasEnded) => {
        request.hasSessionEnded = hasEnded
        done()
      },
      (error) => {
        // While the database is unavailable, monitoring still answers, but as to a stranger.
        request.hasSessionEnded = true
        done(MONITORING.test(url) ? undefined : error)
      },
    )
  })
}

/** The caller, read from the session when it is needed. Changes go into the answer's cookie. */
export function visitorOf(request: FastifyRequest): Visitor {
  return {
    get grants() {
      return (!request.hasSessionEnded && request.session.get('grants')) || []
    },
    addGrant(grant) {
      leaveEndedSession(request)
      const others = this.grants.filter((other) => other.albumId !== grant.albumId)
      request.session.set('grants', [...others, grant].slice(-MAX_GRANTS))
      if (!request.session.get('id')) request.session.set('id', randomUUID())
    },
    startSession(grants) {
      if (grants.length === 0 && !this.isMaintainer) return request.session.delete()
      request.session.set('grants', grants)
      request.session.set('id', randomUUID())
    },
    endSession() {
      request.session.delete()
    },
    get address() {
      return callerNetwork(request.ip)
    },
    get isMaintainer() {
      return hasMaintainerSession(request)
    },
    becomeMaintainer() {
      leaveEndedSession(request)
      request.session.set('maintainerUntil', Date.now() + SETUP_SECONDS * 1000)
      // Without an id nobody could end it.
      if (!request.session.get('id')) request.session.set('id', randomUUID())
    },
    authorization: request.headers.authorization,
    get sessionId() {
      return request.hasSessionEnded ? undefined : request.session.get('id')
    },
  }
}

/** What is added to a session that has ended begins a new one, without the rights of the former. */
function leaveEndedSession(request: FastifyRequest): void {
  if (!request.hasSessionEnded) return
  request.session.regenerate()
  request.session.set('id', randomUUID())
  request.hasSessionEnded = false
}

/** Whether a set-up link has given this session the maintainer's rights. */
export function hasMaintainerSession(request: FastifyRequest): boolean {
  // A worker has no sessions.
  const until = request.session?.get('maintainerUntil')
  return until !== undefined && Date.now() < until && !request.hasSessionEnded
}
