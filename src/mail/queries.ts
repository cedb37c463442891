import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { secondsAgo } from '../database/times.ts'

/** Saves a new authorisation request, and deletes the expired ones. */
export async function insertRequest(
  db: Db,
  request: { state_hash: Buffer; code_verifier_cipher: Buffer; redirect_uri: string },
  lifetimeSeconds: number,
): Promise<void> {
  await db
    .deleteFrom('mail_authorisation_requests')
    .where('created_at', '<=', secondsAgo(lifetimeSeconds))
    .execute()
  await db.insertInto('mail_authorisation_requests').values(request).execute()
}

/** The request with this state that has not expired; without a state, the newest one. */
export function findRequest(db: Db, stateHash: Buffer | undefined, lifetimeSeconds: number) {
  return db
    .selectFrom('mail_authorisation_requests')
    .selectAll()
    .where('created_at', '>', secondsAgo(lifetimeSeconds))
    .$if(stateHash !== undefined, (query) => query.where('state_hash', '=', stateHash!))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function deleteRequest(db: Db, stateHash: Buffer): Promise<void> {
  await db.deleteFrom('mail_authorisation_requests').where('state_hash', '=', stateHash).execute()
}

/** Replaces the stored account. */
export async function saveAuthorisation(
  db: Db,
  authorisation: { account: string; refresh_token_cipher: Buffer },
): Promise<void> {
  const row = { ...authorisation, authorised_at: sql<Date>`now()` }
  await db
    .insertInto('mail_authorisation')
    .values(row)
    .onConflict((conflict) => conflict.column('only').doUpdateSet(row))
    .execute()
}

export function findAuthorisation(db: Db) {
  return db.selectFrom('mail_authorisation').selectAll().executeTakeFirst()
}
