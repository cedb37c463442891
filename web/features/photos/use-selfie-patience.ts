import { useCallback, useEffect, useRef, useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { pause } from '../../lib/pause.ts'

/** When the service asks for more time than this in all, the visitor reads its sentence instead. */
const LONGEST_WAIT_SECONDS = 60

/** The visitor has left the page while a call waited. Nothing is to be said about it. */
export class PageLeft extends Error {
  override readonly name = 'PageLeft'
}

/** A call waits. */
export interface SelfieWait {
  /** A sentence for the visitor. */
  why: string
  /** How long it waits in all. */
  seconds: number
}

export interface SelfiePatience {
  /** Null while no call waits. */
  waiting: SelfieWait | null
  /** Makes a call. When the service asks for a moment (429 or 503 with Retry-After), it waits and tries again.
   *  @throws PageLeft; otherwise what the call threw. */
  patiently<Answer>(call: () => Promise<Answer>): Promise<Answer>
}

export function useSelfiePatience(): SelfiePatience {
  const [waiting, setWaiting] = useState<SelfieWait | null>(null)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const current = new AbortController()
    leaving.current = current
    return () => current.abort(new PageLeft())
  }, [])

  const patiently = useCallback(async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    let waited = 0
    for (;;) {
      try {
        return await call()
      } catch (error) {
        const seconds = secondsToWait(error)
        waited += seconds ?? 0
        if (seconds === null || waited > LONGEST_WAIT_SECONDS) throw error
        setWaiting({ why: reasonOf(error), seconds })
        await pause(seconds * 1000, leaving.current.signal)
        setWaiting(null)
      }
    }
  }, [])

  return { waiting, patiently }
}

function secondsToWait(error: unknown): number | null {
  const failure = failureOf(error)
  return failure?.status === 429 || failure?.status === 503 ? failure.retryAfterSeconds : null
}

function reasonOf(error: unknown): string {
  return failureOf(error)?.status === 429
    ? 'Your last search is still running.'
    : 'Many guests are searching at the moment.'
}
