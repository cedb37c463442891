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
    /** What was counted of the visitor as a guest. It has a cookie of its own: several calls at once may change it, and the last
     *  one wins. */
    counted: secureSession.Session<{ steps: string[] }>
    /** The visitor has logged out of the session that the cookie holds. It may be a copy of the cookie. */
    hasSessionEnded: boolean
  }
}

/** A cookie may have 4096 bytes, and thirty encrypted grants need about 3,000. Older grants are dropped. */
const MAX_GRANTS = 30
/** Three for each album. */
const MAX_STEPS = 3 * MAX_GRANTS

/** Enough of an album's id, and a short cookie. */
const stepsOf = (albumId: string) => albumId.slice(0, 8)

const CALLS = /^\/(api|trpc)\//
/** Where a maintainer's session gives a right. */
const MONITORING = /^\/(readyz|metrics)$/

/** Adds the encrypted session cookie. It holds the grants. The database knows only which sessions have ended. */
export async function registerSession(
  app: FastifyInstance,
  options: { db: Db; keyring: Keyring; secure: boolean },
): Promise<void> {
  const cookies = {
    key: options.keyring.keys('session').map((key) => key.export()),
    expiry: SESSION_SECONDS,
    cookie: {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: options.secure,
      maxAge: SESSION_SECONDS,
    },
  } as const
  await app.register(secureSession, [
    { sessionName: 'session', cookieName: 'inframe', ...cookies },
    { sessionName: 'counted', cookieName: 'inframe_counted', ...cookies },
  ])
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
    isFirst(albumId, step) {
      const steps = request.counted.get('steps') ?? []
      const counted = `${stepsOf(albumId)} ${step}`
      if (steps.includes(counted)) return false
      request.counted.set('steps', [...steps, counted].slice(-MAX_STEPS))
      return true
    },
    startSession(grants) {
      forgetSteps(request, grants)
      if (grants.length === 0 && !this.isMaintainer) return request.session.delete()
      request.session.set('grants', grants)
      request.session.set('id', randomUUID())
    },
    endSession() {
      request.session.delete()
      forgetSteps(request, [])
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

/** Another person may use the browser next: only what was counted in these albums stays. */
function forgetSteps({ counted }: FastifyRequest, grants: Grant[]): void {
  const kept = grants.map(({ albumId }) => stepsOf(albumId))
  const steps = counted.get('steps')
  if (!steps) return
  const left = steps.filter((step) => kept.some((id) => step.startsWith(id)))
  if (left.length > 0) counted.set('steps', left)
  else counted.delete()
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
