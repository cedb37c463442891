import { type FastifyTRPCPluginOptions, fastifyRequestHandler } from '@trpc/server/adapters/fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { knownFailure } from '../api/known-failure.ts'
import { LONG_READS, POLLED_READS, type PolledRead, type ReadContext } from '../api/polled-reads.ts'
import type { AppRouter } from '../api/router.ts'
import { asTrpcError } from '../api/trpc.ts'
import { JSON_TYPE, sendCompressed } from './compression.ts'
import { originOf } from './origin.ts'
import { restRouteOf } from './route-names.ts'
import type { AppServices } from './services.ts'
import { visitorOf } from './session.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer is the same for every visitor, whatever the session. */
    isForEverybody?: boolean
  }
}

// trpc-openapi and tRPC need much more processor time for a call than its work does. That matters only for the calls
// that thousands of open pages repeat, and for long answers. So these have routes of their own, which do without both.
// The plugins still answer all other requests at the same addresses: other methods, HEAD, and several calls in one.

const READS = [...POLLED_READS, ...LONG_READS]

/** Serves the reads at their REST paths below /api. */
export function registerRestReads(api: FastifyInstance, services: AppServices): void {
  for (const read of READS)
    api.get(restRouteOf(read.name), optionsOf(read), async (request, reply) => {
      const input = { ...given(request.query as object), ...(request.params as object) }
      const text = asJson(await answer(read, services, request, reply, input))
      reply.type(JSON_TYPE)
      return read.isCompressed ? await sendCompressed(request, reply, text) : text
    })
}

/** Serves the reads to the web app. tRPC answers when a read has failed. */
export function registerTrpcReads(
  app: FastifyInstance,
  services: AppServices,
  { prefix, trpcOptions }: FastifyTRPCPluginOptions<AppRouter> & { prefix: string },
): void {
  for (const read of READS)
    app.get(`${prefix}/${read.name}`, optionsOf(read), async (req, res) => {
      const call = { ...trpcOptions, path: read.name, req, res }
      const input = onlyInput(req)
      if (input === undefined) return await fastifyRequestHandler(call)
      try {
        const data = await answer(read, services, req, res, input)
        res.headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store', vary: 'trpc-accept, accept' })
        const text = `{"result":{"data":${asJson(data)}}}`
        return read.isCompressed ? await sendCompressed(req, res, text) : text
      } catch (error) {
        const failure = knownFailure(error)
        const createContext = () => {
          throw failure ? asTrpcError(failure) : error
        }
        return await fastifyRequestHandler({ ...call, createContext })
      }
    })
}

const optionsOf = ({ isForEverybody }: PolledRead): RouteShorthandOptions => ({
  exposeHeadRoute: false,
  config: { isForEverybody },
})

async function answer(
  read: PolledRead,
  services: AppServices,
  request: FastifyRequest,
  reply: FastifyReply,
  input: unknown,
): Promise<object> {
  const context: ReadContext = {
    services,
    get visitor() {
      return visitorOf(request)
    },
    get origin() {
      return originOf(services, request)
    },
    setHeader: (name, value) => void reply.header(name, value),
  }
  return await read.answer(context, read.input.parse(input))
}

const texts = new WeakMap<object, string>()

/** The same as JSON. A list of a hundred albums takes longer to write than all the rest of its answer, so those who
 *  share an answer share its text, too. */
function asJson(answer: object): string {
  const text = texts.get(answer) ?? JSON.stringify(answer)
  texts.set(answer, text)
  return text
}

/** The parameters of a query without those that are empty. */
function given(query: object): object {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}

/** The input of a request for one call that has nothing but an input; undefined for any other request. */
function onlyInput({ query, headers }: FastifyRequest): unknown {
  const { input, ...others } = query as Record<string, unknown>
  const isUnusual = typeof input !== 'string' || Object.keys(others).length > 0
  if (isUnusual || 'trpc-accept' in headers || headers.accept?.includes('jsonl')) return undefined
  try {
    return JSON.parse(input)
  } catch {
    return undefined
  }
}
