import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import { secondsFromNow } from '../database/times.ts'

export async function insertInvitation(
  trx: Trx,
  { codeHash, albums, seconds }: { codeHash: Buffer; albums: number; seconds: number },
): Promise<{ expires_at: Date }> {
  return await trx
    .insertInto('invitations')
    .values({ code_hash: codeHash, albums_left: albums, expires_at: secondsFromNow(seconds) })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
}

export function findInvitation(db: Db | Trx, codeHash: Buffer) {
  return db
    .selectFrom('invitations')
    .select(['albums_left', sql<boolean>`expires_at <= now()`.as('is_expired')])
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
}

/** Uses an invitation for one album.
 *  @returns whether it was still valid */
export async function takeFromInvitation(trx: Trx, codeHash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('invitations')
    .set((row) => ({ albums_left: row('albums_left', '-', 1) }))
    .where('code_hash', '=', codeHash)
    .where('albums_left', '>', 0)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
