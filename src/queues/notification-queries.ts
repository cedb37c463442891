import { sql } from 'kysely'
import type { Db } from '../database/client.ts'

export const CHANNEL = 'inframe'

/** Announces a change to all processes of this service; inside a transaction, when it commits.
 *  @param key unique for what has changed */
export async function announce(db: Db, key: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${key})`.execute(db)
}
