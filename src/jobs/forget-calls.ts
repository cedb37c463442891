import { deleteEndedWindows, forgetEndedSessions } from '../albums/visitor-queries.ts'
import { forgetOldLetters } from '../letters/queries.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

/** Deletes the keyed hashes of callers and of mail addresses as soon as they no longer count for a limit, addresses that
 *  nobody has confirmed, and ended sessions whose cookies have expired. */
export const forgetCalls = defineHandler(queues.forgetCalls, {
  async handle({ db }) {
    await deleteEndedWindows(db)
    await forgetOldLetters(db)
    await forgetEndedSessions(db)
  },
})
