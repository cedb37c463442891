import type { FastifyReply } from 'fastify'
import { AppError } from '../errors.ts'

const signals = new WeakMap<FastifyReply, AbortSignal>()

/** Aborts when the caller has hung up, or has got the answer. Fastify's `request.signal` cannot be used for that: it aborts
 *  when the body has been read. All calls of a batch share it. */
export function hungUp(reply: FastifyReply): AbortSignal {
  const known = signals.get(reply)
  if (known) return known
  const { raw } = reply
  const closing = new AbortController()
  if (raw.destroyed) closing.abort(callerHungUp())
  else raw.once('close', () => closing.abort(callerHungUp()))
  signals.set(reply, closing.signal)
  return closing.signal
}

/** Nobody reads it. */
export const callerHungUp = () => new AppError('TIMEOUT', 'The caller has hung up')
