import { RequestFailure } from '../../lib/multipart.ts'
import type { Connection } from './connection.ts'
import { pause } from './timing.ts'

/** Why nothing is being sent at the moment. Nobody has to do anything. */
export type Waiting = { reason: 'offline' } | { reason: 'busy'; seconds: number }

/** The service will not take any further batch, so sending more is no use. */
export class UploadStopped extends Error {
  override readonly name = 'UploadStopped'
  /** Whether this album can never be uploaded to again. */
  readonly albumLost: boolean

  constructor(message: string, albumLost: boolean) {
    super(message)
    this.albumLost = albumLost
  }
}

export interface Patience {
  connection: Connection
  signal: AbortSignal
  /** Null: it goes on. */
  onWaiting(waiting: Waiting | null): void
}

/** A service that asks for more patience than this has a fault that waiting does not mend. */
const LONGEST_WAIT_SECONDS = 600
/** For a 429 that does not say how long. */
const USUAL_WAIT_SECONDS = 10

/** Makes an attempt, and makes it again when it could not succeed: after the browser was offline, and when the
 *  service asked to wait (429). Neither is a failure of the batch.
 *  @throws UploadStopped when the album is gone, or the service asks for too long a wait; else what the
 *  attempt threw. */
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
      if (!(error instanceof RequestFailure)) throw error
      if (error.status === 0 && connection.wasOffline(start)) {
        onWaiting({ reason: 'offline' })
        await connection.back(signal)
      } else if (error.status === 429) {
        const seconds = error.retryAfterSeconds ?? USUAL_WAIT_SECONDS
        waited += seconds
        if (waited > LONGEST_WAIT_SECONDS) throw new UploadStopped(tooBusy(seconds), false)
        onWaiting({ reason: 'busy', seconds })
        await pause(seconds * 1000, signal)
      } else throw stopped(error) ?? error
      onWaiting(null)
    }
  }
}

function tooBusy(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return `The service has too much to do and asks to come back in ${minutes} minutes. What is uploaded is kept: please choose the same photos again then.`
}

function stopped({ status }: RequestFailure): UploadStopped | null {
  if (status === 404 || status === 410)
    return new UploadStopped(
      'This album is no longer there, so no more photos can be added to it. Please create a new album.',
      true,
    )
  if (status === 401 || status === 403)
    return new UploadStopped(
      'This browser may no longer add photos to this album. Please create a new album.',
      true,
    )
  return null
}
