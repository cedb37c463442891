import { initTRPC, TRPCError } from '@trpc/server'
import type { OpenApiMethod } from 'trpc-openapi'
import type { AppContext } from '../context.ts'
import { AppError, SOMETHING_WENT_WRONG } from '../errors.ts'
import { knownFailure } from './known-failure.ts'
import type { Visitor } from './visitor.ts'

export interface CallContext {
  services: AppContext
  visitor: Visitor
  /** The call came over a REST path, so its path parameters are still percent-encoded. */
  isRest: boolean
  /** The start of every address in an answer, without a slash at the end. */
  origin: string
  setHeader(name: string, value: string): void
  /** Aborts when the caller has hung up, or has got the answer. */
  hungUp(): AbortSignal
}

/** What a procedure with a REST path says about itself. */
type ProcedureMeta = { openapi: { method: OpenApiMethod; path: `/${string}`; summary: string } }

export const rest = (method: OpenApiMethod, path: `/${string}`, summary: string): ProcedureMeta => ({
  openapi: { method, path, summary },
})

const t = initTRPC
  .context<CallContext>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      message: error.code === 'INTERNAL_SERVER_ERROR' ? SOMETHING_WENT_WRONG : error.message,
      data: {
        code: shape.data.code,
        reason: error.cause instanceof AppError ? error.cause.reason : shape.data.code.toLowerCase(),
        httpStatus: shape.data.httpStatus,
        issues: error.cause instanceof AppError ? error.cause.issues : undefined,
        retryAfter: error.cause instanceof AppError ? error.cause.retryAfter : undefined,
      },
    }),
  })

/** An error of a lower layer becomes a TRPCError with the same message, and with the AppError as its cause. */
const translateFaults = t.middleware(async ({ next }) => {
  const result = await next()
  if (result.ok) return result
  const failure = knownFailure(result.error.cause)
  if (!failure) return result
  throw asTrpcError(failure)
})

/** The error in the form in which tRPC answers it. */
export const asTrpcError = (failure: AppError) =>
  new TRPCError({ code: failure.code, message: failure.message, cause: failure })

/** The path parameters of a REST call arrive percent-encoded. */
const decodePath = t.middleware(async ({ ctx, meta, next, getRawInput }) => {
  const names = [...(meta?.openapi.path ?? '').matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  if (!ctx.isRest || names.length === 0) return await next()
  const input = { ...((await getRawInput()) as Record<string, unknown>) }
  for (const name of names) {
    try {
      input[name] = decodeURIComponent(String(input[name]))
    } catch {
      throw brokenEscape()
    }
  }
  return await next({ getRawInput: async () => input })
})

export const brokenEscape = (cause?: unknown) =>
  new AppError('BAD_REQUEST', 'The address contains a broken % escape', { cause })

export const router = t.router

/** A call that anybody may make. A procedure that needs a grant requires it first, with a function of `albums/access.ts`. */
export const procedure = t.procedure.use(translateFaults).use(decodePath)
