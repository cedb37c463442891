import { closeQuietRounds } from '../albums/finish.ts'
import { definePeriodic } from './define-queue.ts'

/** Ends the upload rounds of clients that just stopped. */
export const closeQuietRoundsEveryMinute = definePeriodic('close-quiet-rounds', '* * * * *', (deps) =>
  closeQuietRounds(deps),
)
