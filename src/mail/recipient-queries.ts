import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import { secondsAgo, secondsSince } from '../database/times.ts'

/** Lets only one transaction at a time count the letters of a mailbox. The lock ends with the transaction. */
export async function lockMailbox(trx: Trx, mailboxHash: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(${mailboxHash.readBigInt64BE()})`.execute(trx)
}

/** The ages in seconds of the newest letters to a mailbox within a period, the newest first. */
export async function agesOfUnconfirmedLetters(
  trx: Trx,
  mailboxHash: Buffer,
  { withinSeconds, limit }: { withinSeconds: number; limit: number },
): Promise<number[]> {
  const rows = await trx
    .selectFrom('unconfirmed_letters')
    .select(secondsSince(sql.ref('begun_at')).as('age'))
    .where('mailbox_hash', '=', mailboxHash)
    .where('begun_at', '>', secondsAgo(withinSeconds))
    .orderBy('begun_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.age)
}

export async function insertUnconfirmedLetter(trx: Trx, mailboxHash: Buffer): Promise<void> {
  await trx.insertInto('unconfirmed_letters').values({ mailbox_hash: mailboxHash }).execute()
}

/** Whether a mail server has permanently refused the address within a period. */
export async function isRefusedAddress(
  trx: Trx,
  addressHash: Buffer,
  withinSeconds: number,
): Promise<boolean> {
  const row = await trx
    .selectFrom('refused_addresses')
    .select('refused_at')
    .where('address_hash', '=', addressHash)
    .where('refused_at', '>', secondsAgo(withinSeconds))
    .executeTakeFirst()
  return row !== undefined
}

export async function saveRefusedAddress(db: Db, addressHash: Buffer): Promise<void> {
  const row = { address_hash: addressHash, refused_at: sql<Date>`now()` }
  await db
    .insertInto('refused_addresses')
    .values(row)
    .onConflict((conflict) => conflict.column('address_hash').doUpdateSet(row))
    .execute()
}

/** Deletes the hashes that are older than these periods. */
export async function deleteOldRecipients(
  db: Db,
  periods: { lettersSeconds: number; refusalsSeconds: number },
): Promise<void> {
  await db
    .deleteFrom('unconfirmed_letters')
    .where('begun_at', '<=', secondsAgo(periods.lettersSeconds))
    .execute()
  await db
    .deleteFrom('refused_addresses')
    .where('refused_at', '<=', secondsAgo(periods.refusalsSeconds))
    .execute()
}
