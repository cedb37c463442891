import { RequestFailure } from '../../lib/failure.ts'

/** Waits this many ms. Rejects with the signal's reason when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** Runs work with a signal that is aborted when the given one is, or when the time is up: then the reason is a
 *  RequestFailure, because no answer came. */
export async function withTimeout<Answer>(
  ms: number | null,
  signal: AbortSignal,
  work: (limit: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  if (ms === null) return work(signal)
  const timeout = new AbortController()
  const timer = setTimeout(
    () => timeout.abort(new RequestFailure(`No answer within ${ms / 1000} seconds`, 0)),
    ms,
  )
  try {
    return await work(AbortSignal.any([signal, timeout.signal]))
  } finally {
    clearTimeout(timer)
  }
}
