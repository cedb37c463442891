import { forgetErasures } from '../albums/erasure-queries.ts'
import { deleteEventsOlderThan } from '../audit/queries.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

const AUDIT_LOG_SECONDS = 90 * 24 * 3600

/** Deletes the events of the audit log that are older than 90 days, and what is known of albums that were erased so long
 *  ago. */
export const forgetAuditLog = defineHandler(queues.forgetAuditLog, {
  async handle({ db }) {
    await deleteEventsOlderThan(db, AUDIT_LOG_SECONDS)
    await forgetErasures(db, AUDIT_LOG_SECONDS)
  },
})
