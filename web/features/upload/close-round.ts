/** Ms before each further try. */
const TRIES_AFTER = [2_000, 10_000]

/** Tells the service that everything has been sent. Worth a few tries and no more: the photos are stored whether
 *  or not it arrives, and the service closes a quiet round by itself. */
export async function closeRound(finish: () => Promise<unknown>): Promise<void> {
  for (const wait of [...TRIES_AFTER, null]) {
    try {
      await finish()
      return
    } catch (error) {
      if (wait === null) console.warn('The upload round was left for the service to close', error)
      else await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}
