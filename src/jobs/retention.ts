import { forgetErasures } from '../albums/erasure-queries.ts'
import { deleteEndedWindows, forgetEndedSessions } from '../albums/visitor-queries.ts'
import { deleteEventsOlderThan } from '../audit/queries.ts'
import { forgetOldLetters } from '../letters/queries.ts'
import { forgetCallers } from '../opt-outs/queries.ts'
import { eraseOptOuts as erase } from '../opt-outs/undo-or-erase.ts'
import { definePeriodicQueue } from './define-queue.ts'

const AUDIT_LOG_SECONDS = 90 * 24 * 3600

/** Deletes the keyed hashes of callers and of mail addresses as soon as they no longer count for a limit, addresses that
 *  nobody has confirmed, and ended sessions whose cookies have expired. */
export const forgetCalls = definePeriodicQueue('forget-calls', '*/10 * * * *', async ({ db, outbox }) => {
  await deleteEndedWindows(db)
  await outbox.remove(await forgetOldLetters(db))
  await forgetEndedSessions(db)
})

/** Deletes the events of the audit log that are older than 90 days, and what is known of albums that were erased so long
 *  ago. */
export const forgetAuditLog = definePeriodicQueue('forget-audit-log', '40 3 * * *', async ({ db }) => {
  await deleteEventsOlderThan(db, AUDIT_LOG_SECONDS)
  await forgetErasures(db, AUDIT_LOG_SECONDS)
})

/** Erases the faces of guests who opted out 72 hours ago, and forgets where guests called from. */
export const eraseOptOuts = definePeriodicQueue('erase-opt-outs', '*/5 * * * *', async (deps) => {
  await erase(deps)
  await forgetCallers(deps.db)
})
