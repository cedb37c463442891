import type { Db, Trx } from '../database/client.ts'
import { secondsAgo } from '../database/times.ts'

/** Saves a new set-up link, and deletes the expired ones. */
export async function insertSetupLink(db: Db, tokenHash: Buffer, lifetimeSeconds: number): Promise<void> {
  await db.deleteFrom('setup_links').where('created_at', '<=', secondsAgo(lifetimeSeconds)).execute()
  await db.insertInto('setup_links').values({ token_hash: tokenHash }).execute()
}

/** Deletes a link. Of several calls with one token only the first gets true.
 *  @returns whether the link existed and had not expired */
export async function takeSetupLink(trx: Trx, tokenHash: Buffer, lifetimeSeconds: number): Promise<boolean> {
  const taken = await trx
    .deleteFrom('setup_links')
    .where('token_hash', '=', tokenHash)
    .where('created_at', '>', secondsAgo(lifetimeSeconds))
    .returning('token_hash')
    .executeTakeFirst()
  return taken !== undefined
}
