import { setTimeout as pause } from 'node:timers/promises'

/** Far longer than a busy machine needs, so only what has gone wrong takes this long. */
const TIMEOUT_MS = 100_000

/** Repeats `ask` until its answer is truthy, for state that has no event to wait for.
 *  @throws Error when that takes longer than `timeoutMs` */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  while (true) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms for ${what}, without success`)
    await pause(50)
  }
}
