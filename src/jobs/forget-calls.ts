import { REMEMBERED } from '../albums/begin-letter.ts'
import { deleteEndedWindows } from '../albums/limit-queries.ts'
import { forgetEndedSessions } from '../albums/session-queries.ts'
import { deleteOldRecipients } from '../mail/recipient-queries.ts'
import { queues } from '../queues/queues.ts'
import { deleteOldPlaces } from '../search/place-queries.ts'
import { deleteEndedTurns } from '../search/selfie-turn-queries.ts'
import { deleteEndedZips } from '../zips/zip-queries.ts'
import { defineHandler } from './define-handler.ts'

/** Deletes the keyed hashes of callers and of mail addresses as soon as they no longer count for a limit, ended
 *  sessions whose cookies have expired, and the contents of zips that can no longer be downloaded. */
export const forgetCalls = defineHandler(queues.forgetCalls, {
  async handle({ db }) {
    await deleteEndedWindows(db)
    await deleteEndedTurns(db)
    await deleteOldPlaces(db)
    await deleteOldRecipients(db, REMEMBERED)
    await forgetEndedSessions(db)
    await deleteEndedZips(db)
  },
})
