import { RequestFailure } from '../../lib/failure.ts'

/** Rejects with the signal's reason when it is aborted meanwhile. */
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

/** Runs work under a signal that ends with the given one, or when the time is up: then with a RequestFailure,
 *  since no answer came. */
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
