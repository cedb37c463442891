import { failures as texts } from '../../../src/texts/english.ts'
import { RequestFailure } from '../../lib/failure.ts'

/** Runs work with a signal that is aborted when the given one is, or when the time is up: then the reason is a
 *  RequestFailure, because no answer came. */
export async function withTimeout<Answer>(
  ms: number | null,
  signal: AbortSignal,
  work: (limit: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  if (ms === null) return work(signal)
  signal.throwIfAborted()
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new RequestFailure(texts.noAnswerWithin(ms / 1000), 0)), ms)
  const stop = () => limit.abort(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
