import { setTimeout as pause } from 'node:timers/promises'

/** Asks again and again until the answer is truthy: for state that has no event to wait on. */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  timeoutMs = 25_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  while (true) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`)
    await pause(50)
  }
}
