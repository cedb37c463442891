import type { ErrorName } from './service-error.ts'

/** What a request gets instead of its answer: an error; `break`, a connection that breaks before anything is done;
 *  `break-after`, one that breaks after everything is done; or `hang`, no answer at all. */
export type ServiceFault = ErrorName | 'break' | 'break-after' | 'hang'

/** Numbers from 0 to 1 that look random and are the same in every run (mulberry32). */
export function randomNumbers(seed = 1): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
