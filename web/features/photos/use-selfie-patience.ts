import { selfieWait as texts } from '../../../src/texts/english/search.ts'
import { failureOf, reasonOf } from '../../lib/failure.ts'
import { pause } from '../../lib/pause.ts'

/** When the service asks for more time than this in all, the visitor reads its sentence instead. While many guests search,
 *  there is no such limit: each gets its turn. */
const LONGEST_WAIT_SECONDS = 60

/** What a proxy answers while the service starts again, and how many seconds later the page tries again. */
const RESTARTING = [502, 503, 504]
const RESTART_SECONDS = 3

/** A call waits. */
export interface SelfieWait {
  /** A sentence for the visitor. */
  why: string
  /** How long it waits in all. */
  seconds: number
}

/** Makes a call. When the service asks for a moment, it waits and tries again.
 *  @param onWait is told when a wait begins, and that it is over
 *  @throws the signal's reason; otherwise what the call threw. */
export async function patiently<Answer>(
  call: () => Promise<Answer>,
  { signal, onWait }: { signal?: AbortSignal; onWait?: (wait: SelfieWait | null) => void } = {},
): Promise<Answer> {
  let waited = 0
  for (;;) {
    try {
      return await call()
    } catch (error) {
      const wait = waitAfter(error)
      if (!wait) throw error
      if (wait.why !== texts.manySearches) waited += wait.seconds
      if (waited > LONGEST_WAIT_SECONDS) throw error
      onWait?.(wait)
      await pause(wait.seconds * 1000, signal).finally(() => onWait?.(null))
    }
  }
}

/** @returns null when the visitor should read the service's sentence: it is a failure, or a limit that lasts for minutes */
function waitAfter(error: unknown): SelfieWait | null {
  const failure = failureOf(error)
  if (!failure) return null
  const isRestarting = RESTARTING.includes(failure.foreignStatus)
  const seconds = failure.retryAfterSeconds ?? (isRestarting ? RESTART_SECONDS : 0)
  if (seconds === 0) return null
  if (reasonOf(error) === 'many_searches') return { why: texts.manySearches, seconds }
  return failure.status === 503 || isRestarting ? { why: texts.noSearch, seconds } : null
}
