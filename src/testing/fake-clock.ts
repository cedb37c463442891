import { vi } from 'vitest'

/** Gives a test a clock that only vi.advanceTimersByTimeAsync moves, for timers, performance and AbortSignal.timeout.
 *  Vitest does not fake `node:timers/promises`, so a test file mocks its setTimeout with `pause` below. To end it, call
 *  vi.useRealTimers and vi.restoreAllMocks. */
export function useFakeClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('Timed out', 'TimeoutError')), ms)
    return controller.signal
  })
}

/** setTimeout of `node:timers/promises`, on the clock of the test. */
export function pause<T>(ms: number, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(() => resolve(value as T), ms)
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', end, { once: true })
  })
}
