import { queues } from '../queues/queues.ts'
import { closeQuietRounds } from '../uploads/finish.ts'
import { defineHandler } from './define-handler.ts'

/** Ends the upload rounds of clients that stopped without saying so. */
export const closeQuietRoundsEveryMinute = defineHandler(queues.closeQuietRounds, {
  handle: (deps) => closeQuietRounds(deps),
})
