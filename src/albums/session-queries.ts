import type { Db } from '../database/client.ts'
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

export async function hasSessionEnded(db: Db, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('ended_sessions')
    .select('id')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the sessions whose cookies have expired anyway. */
export async function forgetEndedSessions(db: Db): Promise<void> {
  await db.deleteFrom('ended_sessions').where('ended_at', '<', secondsAgo(SESSION_SECONDS)).execute()
}
