import { setTimeout as pause } from 'node:timers/promises'
import {
  type $Command,
  RekognitionClient,
  type RekognitionClientConfig,
  type RekognitionClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-rekognition'
import type { Log } from '../../log.ts'
import { isNamed, translateFault } from './service-faults.ts'

/** Guests' searches; photos to index; and everything else. */
type Kind = 'search' | 'index' | 'manage'

export interface CallOptions {
  /** Ms from the beginning to the end of all tries, for a call that may also be left out. */
  atMostMs?: number | undefined
  /** Names of the service's errors that the caller deals with. They are thrown as they are. */
  expected?: readonly string[]
}

/** How calls reach Amazon Rekognition. */
export interface Calls {
  /** @throws AppError as a face index does: also when no answer came in the time that this kind of call has, and after
   *  `close` */
  send<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
    kind: Kind,
    command: $Command<Input, Output, RekognitionClientResolvedConfig, ServiceInputTypes, ServiceOutputTypes>,
    options?: CallOptions,
  ): Promise<Output>
  /** Ends the calls that wait or are under way. */
  close(): void
}

/** CollectionId: `[a-zA-Z0-9_.\-]+`, at most 255 characters. */
export const collectionOf = (albumId: string) => `inframe-${albumId}`

/** Ms for all tries of a call. A visitor waits for a search; the jobs that index and erase are repeated, and expire after ten
 *  minutes. */
const TOTAL_MS: Record<Kind, number> = { search: 15_000, index: 300_000, manage: 60_000 }
/** Ms for one try. */
const TRY_MS = { guests: 8_000, jobs: 30_000 }
const CONNECT_MS = 5_000
/** If the service fails so often on one photo, the photo may be the cause. */
const MAX_ATTEMPTS = 5
/** A slot that passed unused may still be used for so long: on a busy machine the next photo comes a little late. */
const LATE_MS = 300

/** Sends photos at a fixed rate, this process's part of the account's quota, and lets the SDK repeat what fails. Searches have
 *  quotas of their own (SearchFacesByImage, SearchFaces, DetectFaces), and a client with connections of its own.
 *
 *  Measured with three workers, 2,000 photos and a stand-in that admits 50 IndexFaces a second: 94% of the quota was used, and 89%
 *  when it also throttled a fifth of all calls at random and broke a twentieth. Nothing was lost, and searches took as long as
 *  alone. The SDK's adaptive retry used 98% and 11%: it takes every throttled call for a sign that it sends too fast.
 *  @param options.photosPerSecond of this process
 *  @throws Error when no region is configured */
export async function createCalls(options: {
  client: RekognitionClientConfig
  photosPerSecond: number
  log: Log
}): Promise<Calls> {
  const closing = new AbortController()
  const turn = createPace(options.photosPerSecond)
  const clientFor = (who: keyof typeof TRY_MS) =>
    new RekognitionClient({
      maxAttempts: MAX_ATTEMPTS,
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: TRY_MS[who],
        throwOnRequestTimeout: true,
      },
      ...options.client,
    })
  const clients = { guests: clientFor('guests'), jobs: clientFor('jobs') }
  await clients.jobs.config.region()

  return {
    async send(kind, command, { atMostMs = TOTAL_MS[kind], expected = [] } = {}) {
      const abortSignal = AbortSignal.any([closing.signal, AbortSignal.timeout(atMostMs)])
      try {
        if (kind === 'index') await turn(abortSignal)
        return await clients[kind === 'search' ? 'guests' : 'jobs'].send(command, { abortSignal })
      } catch (error) {
        throw isNamed(error, ...expected) ? error : translateFault(error, options.log)
      }
    },
    close() {
      closing.abort()
      for (const client of Object.values(clients)) client.destroy()
    },
  }
}

/** @returns waits until the next call may begin. Calls begin in the order in which they came */
export function createPace(
  perSecond: number,
  wait: (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<void> = pause,
): (signal: AbortSignal) => Promise<void> {
  let next = 0
  return async (signal) => {
    const now = performance.now()
    const at = Math.max(next, now - LATE_MS)
    next = at + 1000 / perSecond
    if (at > now) await wait(at - now, undefined, { signal })
  }
}
