import { deleteEventsOlderThan } from '../audit/queries.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

const AUDIT_LOG_SECONDS = 90 * 24 * 3600

/** Deletes the events of the audit log that are older than 90 days. */
export const forgetAuditLog = defineHandler(queues.forgetAuditLog, {
  handle: ({ db }) => deleteEventsOlderThan(db, AUDIT_LOG_SECONDS),
})
