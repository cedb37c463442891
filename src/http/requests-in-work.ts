import type { Server } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { type BodyLimits, createBodiesInMemory } from './bodies-in-memory.ts'
import { callerNetwork } from './caller-network.ts'
import { createFairPlaces, type FairPlaces, type PlaceLimits, type PlaceRequest } from './fair-places.ts'
import { OPERATIONS } from './operations.ts'
import { createPipelines } from './pipelines.ts'
import { readInPieces } from './read-in-pieces.ts'
import { sendInTurns } from './send-in-turns.ts'
import { endTinyChunks } from './tiny-chunks.ts'
import { watchUnsentBytes } from './unsent-bytes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's places among those that are worked on. */
    workPlaces: WorkPlaces | undefined
    /** Called when the first file of a form begins. Until then only its fields are in memory, which count like any body. */
    fileBegins: (() => void) | undefined
  }
}

interface WorkPlaces {
  /** @param holdMs after so many ms the places are given back
   *  @param done called without an error when the request has its places */
  ask(holdMs: number, done: (error?: Error) => void): void
  leave(): void
}

export interface WorkLimits extends PlaceLimits {
  /** Ms after which a request gives its places back, even if its answer has not begun. Then it waits for the database
   *  or an engine, and needs no processor time. */
  holdMs: number
  /** The same for calls that mostly wait: for a body, a decoder or an engine. They have limits of their own. */
  longHoldMs: number
  /** Connections on which clients may have sent requests ahead of their answers. */
  ahead: number
  bodies: BodyLimits
  /** Answers that go on at once. Each sends about 64 KB in its turn. */
  sending: PlaceLimits
  /** Bytes of answers that wait for clients who do not take them, and ms between two looks at them. */
  unsentBytes: number
  lookEvery: number
}

/** JSON bodies hold a name, an address or a password. */
export const BODY_MAX_BYTES = 64 * 1024

/** Calls in one tRPC request. The web app sends one; other clients may send several together. */
export const MAX_BATCH = 10

/** Turns of the event loop in a row in which no waiting work begins, while connections come. */
const MOST_SHORT_TURNS = 10

/** Monitoring gets its answer also while visitors wait, so often in a second. */
const ALWAYS = new Set(OPERATIONS)
const ALWAYS_IN_A_SECOND = 50
const LONG_CALLS =
  /^\/(photos|zips|api\/search-in-album|api\/submit-photo|api\/albums\/:userAlbumId\/upload-photos)(\/|$)/

export const tooManyRequests = () =>
  new AppError('SERVICE_UNAVAILABLE', 'Too many people are using this site. Please try again in a moment.', {
    retryAfter: 5,
    isBusy: true,
  })

/** Bounds what the requests of all callers use up of this process. The requests of a connection are worked on one at a
 *  time. Those of all connections wait for places, for which networks take turns. While its body arrives, a request has
 *  none. Connections are closed whose clients do not take their answers, or do not end their bodies, when these need too
 *  much memory. */
export function limitRequestsInWork(app: FastifyInstance, limits: WorkLimits, log: Log): void {
  const pipelines = createPipelines(limits.ahead, log)
  const places = createFairPlaces(limits, newConnectionsFirst(app.server))
  const bodies = createBodiesInMemory(limits.bodies, BODY_MAX_BYTES, log)
  const turns = createFairPlaces(limits.sending, newConnectionsFirst(app.server))
  const unsent = watchUnsentBytes(limits.unsentBytes, limits.lookEvery, log)

  const mayPass = oftenInASecond(ALWAYS_IN_A_SECOND)
  readInPieces(app.server)
  endTinyChunks(app.server)

  app.decorateRequest('workPlaces', undefined)
  app.decorateRequest('fileBegins', undefined)
  app.addHook('onRequest', (request, { raw: response }, done) => {
    pipelines.begin(response, () => {
      const network = callerNetwork(request.ip)
      unsent.watch(response, network)
      sendInTurns(response, network, turns)
      if (ALWAYS.has(request.routeOptions.url ?? '') && mayPass()) return done()
      request.workPlaces = placesFor(request, network, places)
      response.once('close', request.workPlaces.leave)
      request.workPlaces.ask(holdMsOf(request, limits), done)
    })
  })
  app.addHook('preParsing', (request, { raw: response }, payload, done) => {
    if (bringsBody(request)) {
      request.workPlaces?.leave()
      const leave = bodies.watch(request, response, callerNetwork(request.ip))
      if (isForm(request)) request.fileBegins = leave
    }
    done(null, payload)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (!request.workPlaces || !bringsBody(request)) return done()
    // Only a form arrives while its request is worked on. This takes its turn, but no place.
    const holdMs = request.raw.complete ? holdMsOf(request, limits) : 0
    request.workPlaces.ask(holdMs, done)
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.workPlaces?.leave()
    done()
  })
  app.addHook('onClose', async () => unsent.stop())
}

/** Node accepts one connection in each turn of the event loop. So a visitor who connects behind hundreds of others waits
 *  for as many turns, and these have to be short.
 *  @returns whether one was accepted since the last question. Not too often in a row, so that work always goes on */
function newConnectionsFirst(server: Server): () => boolean {
  let isNew = false
  let inRow = 0
  server.on('connection', () => {
    isNew = true
  })
  return () => {
    inRow = isNew && inRow < MOST_SHORT_TURNS ? inRow + 1 : 0
    isNew = false
    return inRow > 0
  }
}

/** @returns true so often in each second, and then false */
function oftenInASecond(most: number): () => boolean {
  let second = 0
  let passed = 0
  return () => {
    const now = Math.floor(performance.now() / 1000)
    if (now !== second) passed = 0
    second = now
    return ++passed <= most
  }
}

function placesFor(request: FastifyRequest, caller: string, places: FairPlaces): WorkPlaces {
  let timer: NodeJS.Timeout | undefined
  let place: PlaceRequest | undefined
  const leave = () => {
    clearTimeout(timer)
    if (place) places.leave(place)
  }
  return {
    leave,
    ask(holdMs, done) {
      place = {
        caller,
        places: callsIn(request),
        enter() {
          if (holdMs > 0) timer = setTimeout(leave, holdMs)
          else leave()
          done()
        },
        refuse: () => done(tooManyRequests()),
      }
      places.ask(place)
    },
  }
}

const holdMsOf = ({ routeOptions: { url = '' } }: FastifyRequest, limits: WorkLimits) =>
  LONG_CALLS.test(url) ? limits.longHoldMs : limits.holdMs

/** Whether a body follows that is read before the request is worked on. Fastify does not read that of a GET. */
function bringsBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const isForm = ({ headers }: FastifyRequest) =>
  /^\s*multipart\/form-data/i.test(headers['content-type'] ?? '')

/** How many calls a request makes: a tRPC batch has several, with commas between their names. A larger one is refused. */
function callsIn({ url }: FastifyRequest): number {
  if (!url.startsWith('/trpc/')) return 1
  return Math.min(url.split('?', 1)[0]!.split(/,|%2c/i).length, MAX_BATCH)
}
