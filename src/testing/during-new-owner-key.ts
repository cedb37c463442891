import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { waitUntil } from './wait.ts'

/** Makes a call whose right is checked before the album gets a new version of its owner key, and which locks the album after
 *  that. The key itself stays the same. */
export async function duringNewOwnerKey<T>(db: Db, albumId: string, call: () => Promise<T>): Promise<T> {
  const called = await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('albums')
      .set((row) => ({ owner_key_version: row('owner_key_version', '+', 1) }))
      .where('id', '=', albumId)
      .execute()
    const answer = call()
    await waitUntil('the call to wait for the album', () => isWaiting(db))
    return { answer }
  })
  return await called.answer
}

async function isWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length > 0
}
