import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { compileOnce } from '../database/compile-once.ts'
import { shareLookups } from '../database/shared-reads.ts'
import { secondsAgo } from '../database/times.ts'

/** How long a session cookie is valid. */
export const SESSION_SECONDS = 30 * 24 * 3600

/** Ends a session. Copies of its cookie are no longer valid. */
export async function endSession(db: Db, sessionId: string): Promise<void> {
  await db
    .insertInto('ended_sessions')
    .values({ id: sessionId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether a session has ended: one query for all requests that arrive together. */
export async function hasSessionEnded(db: Db, sessionId: string): Promise<boolean> {
  return (await findEndedSession(db, sessionId)) !== undefined
}

const endedSessions = compileOnce((db, sessionIds: string[]) =>
  db.selectFrom('ended_sessions').select('id').where('id', '=', sql<string>`any(${sessionIds})`),
)

const findEndedSession = shareLookups(async (db: Db, sessionIds: string[]) => {
  const rows = await endedSessions(db, sessionIds)
  return new Map(rows.map((row) => [row.id, row]))
})

/** Deletes the sessions whose cookies have expired anyway. */
export async function forgetEndedSessions(db: Db): Promise<void> {
  await db.deleteFrom('ended_sessions').where('ended_at', '<', secondsAgo(SESSION_SECONDS)).execute()
}
