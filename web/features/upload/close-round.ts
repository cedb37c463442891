import { pause } from '../../lib/pause.ts'

/** Ms before each further try. */
const TRIES_AFTER = [2_000, 10_000]

/** Tells the service that everything has been sent. It gives up after a few tries: the photos are stored anyway, and
 *  the service closes a round without requests itself. */
export async function closeRound(finish: () => Promise<unknown>): Promise<void> {
  for (const wait of [...TRIES_AFTER, null]) {
    try {
      await finish()
      return
    } catch (error) {
      if (wait === null) console.warn('The upload round was left for the service to close', error)
      else await pause(wait)
    }
  }
}
