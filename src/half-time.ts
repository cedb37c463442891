import { setTimeout as sleep } from 'node:timers/promises'

/** A pause is at least this long, in ms: timers are not exact enough for less. */
const SHORTEST_PAUSE_MS = 5

/** Lets long work that nobody waits for use its disk or its database for half of the time at most. After its steps it
 *  pauses for as long as they took. So it is slow when the disk is slow, which is when others need it most.
 *  @param clock in ms, for tests
 *  @returns runs one step and then pauses, if a pause is due */
export function createHalfTime(
  clock: { now(): number; pause(ms: number): Promise<unknown> } = {
    now: () => performance.now(),
    pause: sleep,
  },
): <T>(step: () => Promise<T>) => Promise<T> {
  let due = 0
  return async (step) => {
    const began = clock.now()
    try {
      return await step()
    } finally {
      due += clock.now() - began
      if (due >= SHORTEST_PAUSE_MS) {
        await clock.pause(due)
        due = 0
      }
    }
  }
}
