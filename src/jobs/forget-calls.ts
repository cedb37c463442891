import { forgetUnconfirmedAddresses } from '../albums/address-change-queries.ts'
import { REMEMBERED } from '../albums/begin-letter.ts'
import { deleteEndedWindows } from '../albums/limit-queries.ts'
import { forgetEndedSessions } from '../albums/session-queries.ts'
import { deleteOldRecipients } from '../mail/recipient-queries.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

/** Deletes the keyed hashes of callers and of mail addresses as soon as they no longer count for a limit, addresses that
 *  nobody has confirmed, and ended sessions whose cookies have expired. */
export const forgetCalls = defineHandler(queues.forgetCalls, {
  async handle({ db }) {
    await deleteEndedWindows(db)
    await deleteOldRecipients(db, REMEMBERED)
    await forgetUnconfirmedAddresses(db)
    await forgetEndedSessions(db)
  },
})
