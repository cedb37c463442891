import { initTRPC, TRPCError } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-openapi'
import type { Grant } from '../albums/access.ts'
import type { RateLimits } from '../albums/rate-limits.ts'
import type { Db } from '../database/client.ts'
import type { JobSender } from '../database/job-sender.ts'
import { AppError, SOMETHING_WENT_WRONG } from '../errors.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { FormerFaces } from '../faces/former-faces.ts'
import type { Keyring } from '../keyring.ts'
import type { MailAuthorisation } from '../mail/authorisation.ts'
import type { PhotoLinks } from '../photos/links.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { knownFailure } from './known-failure.ts'

/** What procedures work with. */
export interface Services {
  db: Db
  keyring: Keyring
  jobs: JobSender
  storage: FileStorage
  faces: FaceIndex
  formerFaces: FormerFaces
  links: PhotoLinks
  limits: RateLimits
  mailAuthorisation: MailAuthorisation
  /** What maintainers log in with from elsewhere; undefined: they cannot. */
  adminToken: string | undefined
}

/** Who calls. */
export interface Visitor {
  grants: Grant[]
  addGrant(grant: Grant): void
  /** The network address. */
  address: string
  /** Names a session that has a grant, and stays the same with it. */
  sessionId: string | undefined
  /** Calls from this very machine, and nobody through it. */
  isLocal: boolean
  /** The Authorization header. */
  authorization: string | undefined
}

export interface CallContext {
  services: Services
  visitor: Visitor
  /** Came over a REST path, whose parameters are still percent-encoded. */
  isRest: boolean
  /** Where the addresses in an answer begin, without a slash at its end. */
  origin: string
}

const t = initTRPC
  .context<CallContext>()
  .meta<OpenApiMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      message: error.code === 'INTERNAL_SERVER_ERROR' ? SOMETHING_WENT_WRONG : error.message,
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        issues: error.cause instanceof AppError ? error.cause.issues : undefined,
        retryAfter: error.cause instanceof AppError ? error.cause.retryAfter : undefined,
      },
    }),
  })

/** Whatever goes wrong below leaves as a TRPCError whose cause is the AppError that says it. */
const translateFaults = t.middleware(async ({ next }) => {
  const result = await next()
  if (result.ok) return result
  const failure = knownFailure(result.error.cause)
  if (!failure) return result
  throw new TRPCError({ code: failure.code, message: failure.message, cause: failure })
})

/** Path parameters of a REST call arrive as they stand in the address. */
const decodePath = t.middleware(async ({ ctx, meta, next, getRawInput }) => {
  const names = [...(meta?.openapi?.path ?? '').matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  if (!ctx.isRest || names.length === 0) return await next()
  const input = { ...((await getRawInput()) as Record<string, unknown>) }
  for (const name of names) {
    try {
      input[name] = decodeURIComponent(String(input[name]))
    } catch {
      throw new AppError('BAD_REQUEST', 'The address contains a broken % escape')
    }
  }
  return await next({ getRawInput: async () => input })
})

export const router = t.router

/** Open to anyone. A procedure that needs a grant asks for it in its first line, from `albums/access.ts`. */
export const procedure = t.procedure.use(translateFaults).use(decodePath)
