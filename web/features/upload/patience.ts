/** When an upload waits and tries again, and when it ends. */
import { upload as texts } from '../../../src/texts/english/upload.ts'
import { failureOf, type RequestFailure } from '../../lib/failure.ts'
import { pause } from '../../lib/pause.ts'

/** What the browser knows of its network. */
export interface Connection {
  /** Whether the browser is offline, or was so at some time since `at` (ms of Date.now()). */
  wasOffline(at: number): boolean
  /** Resolves when it makes sense to try again. Rejects with the signal's reason. */
  back(signal: AbortSignal): Promise<unknown>
}

/** Some browsers do not report that they are online again. So an attempt is made after this time. */
const TRY_ANYWAY_MS = 15_000

/** @param signal ends the watching. */
export function watchConnection(signal: AbortSignal): Connection {
  let lastOffline = Number.NEGATIVE_INFINITY
  window.addEventListener('offline', () => (lastOffline = Date.now()), { signal })
  return {
    wasOffline: (at) => !navigator.onLine || lastOffline >= at,
    back: (stop) =>
      Promise.race([
        new Promise((resolve) => window.addEventListener('online', resolve, { signal, once: true })),
        pause(TRY_ANYWAY_MS, stop),
      ]),
  }
}

/** `message`: why the service takes no photos at the moment. */
type Busy = { reason: 'busy'; seconds: number; message?: string }

/** Why nothing is being sent at the moment. The visitor has nothing to do. */
export type Waiting = { reason: 'offline' } | Busy

/** The album is gone, this browser may not upload to it, or the service asked for too long a wait. */
export type StopReason = 'gone' | 'forbidden' | 'busy'

/** The service will take no further batch of this upload. */
export class UploadStopped extends Error {
  override readonly name = 'UploadStopped'
  readonly reason: StopReason

  constructor(message: string, reason: StopReason) {
    super(message)
    this.reason = reason
  }

  /** Whether this browser can never upload to this album again. */
  get albumLost(): boolean {
    return this.reason !== 'busy'
  }
}

export interface Patience {
  connection: Connection
  signal: AbortSignal
  /** Null: the upload continues. */
  onWaiting(waiting: Waiting | null): void
}

/** When the service asks for more time than this in all, waiting would not help. */
const LONGEST_WAIT_SECONDS = 600
/** For an answer that does not say how long. */
const USUAL_WAIT_SECONDS = 10

/** What a proxy answers while the service starts again, and a hotel's network before one has logged in. */
const PASSING = [200, 404, 429, 502, 503, 504, 511]

/** Makes an attempt. When the browser was offline, the service asked for time, or something in front of it answered in
 *  its place, it waits and tries again.
 *  @throws UploadStopped when the service will take no further batch; otherwise what the attempt threw. */
export async function patiently<Answer>(
  attempt: () => Promise<Answer>,
  { connection, signal, onWaiting }: Patience,
): Promise<Answer> {
  let waited = 0
  for (;;) {
    const start = Date.now()
    try {
      return await attempt()
    } catch (error) {
      signal.throwIfAborted()
      const failure = failureOf(error)
      if (failure?.status === 0 && connection.wasOffline(start)) {
        onWaiting({ reason: 'offline' })
        await connection.back(signal)
      } else {
        const wait = failure && waitAskedBy(failure)
        if (!wait) throw (failure && stopped(failure)) ?? error
        waited += wait.seconds
        if (waited > LONGEST_WAIT_SECONDS) throw new UploadStopped(tooBusy(wait), 'busy')
        onWaiting(wait)
        await pause(wait.seconds * 1000, signal)
      }
      onWaiting(null)
    }
  }
}

/** 429, or 503 with the time after which the service will take photos again; or an answer in its place that passes. */
function waitAskedBy(failure: RequestFailure): Busy | undefined {
  const { status, foreignStatus, retryAfterSeconds, message } = failure
  const wait = { reason: 'busy', seconds: retryAfterSeconds ?? USUAL_WAIT_SECONDS } as const
  if (PASSING.includes(foreignStatus)) return { ...wait, message: texts.answeredInFront(foreignStatus) }
  if (status === 429) return wait
  if (status !== 503 || retryAfterSeconds === null) return undefined
  // Without its advice: the upload tries again by itself.
  return { ...wait, message: message.split(' Please try again')[0]!.replace(/\.$/, '') }
}

const tooBusy = ({ seconds, message }: Busy) =>
  message ? texts.comeBackLater(message) : texts.comeBackIn(Math.ceil(seconds / 60))

function stopped({ status }: RequestFailure): UploadStopped | null {
  if (status === 404 || status === 410) return new UploadStopped(texts.albumGone, 'gone')
  // 409: the owner key has changed while the photos were on their way.
  if (status === 401 || status === 403 || status === 409)
    return new UploadStopped(texts.notAllowed, 'forbidden')
  return null
}
