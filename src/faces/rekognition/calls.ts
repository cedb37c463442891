import { setTimeout as pause } from 'node:timers/promises'
import { RekognitionClient, type RekognitionClientConfig } from '@aws-sdk/client-rekognition'

/** Guests' searches by a selfie (`search`), by a face of the album (`hop`), and for the faces of a selfie (`detect`); photos to
 *  index; and everything else. Amazon has a quota of its own for each operation ("Amazon Rekognition endpoints and quotas" in
 *  the AWS General Reference): 50 IndexFaces and 50 SearchFacesByImage a second in us-east-1 and us-west-2, 5 in many other
 *  regions. */
type Kind = 'search' | 'hop' | 'detect' | 'index' | 'manage'

export interface CallOptions {
  /** Ms from the beginning to the end of all tries, for a call that may also be left out. */
  atMostMs?: number | undefined
}

/** How calls reach Amazon Rekognition. */
export interface Calls {
  /** @throws the SDK's errors: also when no answer came in the time that this kind of call has, and after `close` */
  send<Answer>(
    kind: Kind,
    call: (client: RekognitionClient, options: { abortSignal: AbortSignal }) => Promise<Answer>,
    options?: CallOptions,
  ): Promise<Answer>
  /** Ends the calls that wait or are under way. */
  close(): void
}

/** Ms for all tries of a call, and for one of them. A visitor waits for a search; the jobs that index and erase are repeated,
 *  and expire after ten minutes. */
const SEARCH = { totalMs: 15_000, tryMs: 8_000 }
const TIME_LIMITS: Record<Kind, { totalMs: number; tryMs: number }> = {
  search: SEARCH,
  hop: SEARCH,
  detect: SEARCH,
  index: { totalMs: 300_000, tryMs: 30_000 },
  manage: { totalMs: 60_000, tryMs: 20_000 },
}
const CONNECT_MS = 5_000
/** If the service fails so often on one photo, the photo may be the cause. */
const MAX_ATTEMPTS = 5
/** A slot that passed unused may still be used for so long: on a busy machine the next photo comes a little late. */
const LATE_MS = 300

/** Keeps the account's quotas with the SDK's adaptive retry, and photos also at a fixed rate. Each kind of call has a client
 *  of its own, because a client that is throttled slows down all its calls.
 *  @param options.photosPerSecond of this process
 *  @throws Error when no region is configured */
export async function createCalls(options: {
  client: RekognitionClientConfig
  photosPerSecond: number
}): Promise<Calls> {
  const closing = new AbortController()
  const turn = createPace(options.photosPerSecond)
  const clientFor = (kind: Kind) =>
    new RekognitionClient({
      retryMode: 'adaptive',
      maxAttempts: MAX_ATTEMPTS,
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: TIME_LIMITS[kind].tryMs,
        throwOnRequestTimeout: true,
      },
      ...options.client,
    })
  const clients: Record<Kind, RekognitionClient> = {
    search: clientFor('search'),
    hop: clientFor('hop'),
    detect: clientFor('detect'),
    index: clientFor('index'),
    manage: clientFor('manage'),
  }
  await clients.manage.config.region()

  return {
    async send(kind, call, { atMostMs = TIME_LIMITS[kind].totalMs } = {}) {
      const abortSignal = AbortSignal.any([closing.signal, AbortSignal.timeout(atMostMs)])
      if (kind === 'index') await turn(abortSignal)
      return await call(clients[kind], { abortSignal })
    },
    close() {
      closing.abort()
      for (const client of Object.values(clients)) client.destroy()
    },
  }
}

/** @returns waits until the next call may begin. Calls begin in the order in which they came */
export function createPace(perSecond: number): (signal: AbortSignal) => Promise<void> {
  let next = 0
  return async (signal) => {
    const now = performance.now()
    const at = Math.max(next, now - LATE_MS)
    next = at + 1000 / perSecond
    if (at > now) await pause(at - now, undefined, { signal })
  }
}
