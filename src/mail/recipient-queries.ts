import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { UnconfirmedKind } from '../database/schema.ts'
import { secondsAgo, secondsSince } from '../database/times.ts'

/** Lets only one transaction at a time count the letters of a mailbox. The lock ends with the transaction. */
export async function lockMailbox(trx: Trx, mailboxHash: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(${mailboxHash.readBigInt64BE()})`.execute(trx)
}

/** Which letters to addresses that are not confirmed. */
export interface UnconfirmedLetters {
  mailboxHash: Buffer
  kind: UnconfirmedKind
  /** Only those that this asker has asked for. */
  askerHash?: Buffer | undefined
}

/** The ages in seconds of the newest such letters within a period, the newest first. */
export async function agesOfUnconfirmedLetters(
  trx: Trx,
  { mailboxHash, kind, askerHash }: UnconfirmedLetters,
  { withinSeconds, limit }: { withinSeconds: number; limit: number },
): Promise<number[]> {
  const rows = await trx
    .selectFrom('unconfirmed_letters')
    .select(secondsSince(sql.ref('begun_at')).as('age'))
    .where('mailbox_hash', '=', mailboxHash)
    .where('kind', '=', kind)
    .where('begun_at', '>', secondsAgo(withinSeconds))
    .$if(askerHash !== undefined, (query) => query.where('asker_hash', '=', askerHash!))
    .orderBy('begun_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.age)
}

export async function insertUnconfirmedLetter(
  trx: Trx,
  { mailboxHash, kind, askerHash }: UnconfirmedLetters,
): Promise<void> {
  await trx
    .insertInto('unconfirmed_letters')
    .values({ mailbox_hash: mailboxHash, kind, asker_hash: askerHash ?? null })
    .execute()
}

/** Whether no letters may go to an address: because of a refusal within a period. */
export async function isRefusedAddress(
  db: Db | Trx,
  hashes: Buffer[],
  withinSeconds: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('refused_addresses')
    .select('refused_at')
    .where('address_hash', 'in', hashes)
    .where('refused_at', '>', secondsAgo(withinSeconds))
    .executeTakeFirst()
  return row !== undefined
}

export async function saveRefusedAddress(db: Db | Trx, addressHash: Buffer): Promise<void> {
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
