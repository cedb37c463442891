import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import { ADDRESS_CONFIRM_HOURS } from '../contract/limits.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Database, LetterRow, LetterTable } from '../database/schema.ts'
import { secondsAgo, secondsFromNow, secondsSince } from '../database/times.ts'
import type { AlbumLetterKind } from './kinds.ts'

const DAY_SECONDS = 24 * 3600
const CONFIRM_SECONDS = ADDRESS_CONFIRM_HOURS * 3600
/** Mailboxes are full or closed for a time only, and an address may get a new owner. */
const REFUSED_SECONDS = 30 * DAY_SECONDS

const addressToConfirm = sql<Buffer | null>`case when kind = 'confirm-address' then recipient end`

/** A letter that is neither sent nor ended. */
const isOpen = (where: ExpressionBuilder<Database, 'letters'>) =>
  where.and([where('sent_at', 'is', null), where('ended_at', 'is', null)])

/** @param letter with the hash of its mailbox if it counts for the limits of a day
 *  @returns undefined when such a letter waits already: it will say the same */
export function insertLetter(
  trx: Trx,
  letter: Omit<Insertable<LetterTable>, 'counted_at'>,
): Promise<LetterRow | undefined> {
  return trx
    .insertInto('letters')
    .values({ ...letter, ...(letter.mailbox_hash && { counted_at: sql<Date>`now()` }) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function findLetter(db: Db | Trx, id: string): Promise<LetterRow | undefined> {
  return db.selectFrom('letters').selectAll().where('id', '=', id).executeTakeFirst()
}

/** By the database's clock, which also starts the job.
 *  @returns undefined when it is not to be sent now */
export function findDueLetter(trx: Trx, id: string): Promise<LetterRow | undefined> {
  const due = sql<boolean>`due_at <= now()`
  return trx
    .selectFrom('letters')
    .selectAll()
    .where('id', '=', id)
    .where(isOpen)
    .where(due)
    .executeTakeFirst()
}

/** Begins to send a letter. From now on it contains what is known at this moment, so what comes later gets another one. The caller
 *  has locked the album, so nothing gets an earlier time afterwards.
 *  @param mailboxHash counts it for the limits of a day */
export function markClaimed(trx: Trx, id: string, mailboxHash?: Buffer): Promise<LetterRow> {
  return trx
    .updateTable('letters')
    .set((row) => ({
      claimed_at: sql<Date>`coalesce(claimed_at, statement_timestamp())`,
      tries: row('tries', '+', 1),
      ...(mailboxHash && { mailbox_hash: mailboxHash, counted_at: sql<Date>`now()` }),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deferLetter(trx: Trx, id: string, seconds: number): Promise<void> {
  await trx
    .updateTable('letters')
    .set({ due_at: secondsFromNow(seconds) })
    .where('id', '=', id)
    .execute()
}

/** Forgets the address, unless it waits to be confirmed.
 *  @returns false when the letter was ended, or its album erased, while it was being sent */
export async function markSent(db: Db, { id, album_id }: LetterRow): Promise<boolean> {
  const row = await db
    .updateTable('letters')
    .set({ sent_at: sql<Date>`now()`, recipient: addressToConfirm })
    .where('id', '=', id)
    .where('album_id', 'is not distinct from', album_id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Gives a letter up. An address that waits to be confirmed stays: its owner does not learn who has refused it. */
export async function markEnded(db: Db | Trx, id: string): Promise<void> {
  await db
    .updateTable('letters')
    .set({ ended_at: sql<Date>`now()`, recipient: addressToConfirm })
    .where('id', '=', id)
    .where(isOpen)
    .execute()
}

const ENDED = { ended_at: sql<Date>`coalesce(ended_at, now())`, recipient: null }

/** Ends the letters of a kind about an album: their links no longer work, and those that wait are not sent.
 *  @param onlyClaimed leaves those that wait
 *  @returns the ids of the letters */
export async function endLetters(
  trx: Trx,
  albumId: string,
  kind: AlbumLetterKind,
  { onlyClaimed = false } = {},
): Promise<string[]> {
  const rows = await trx
    .updateTable('letters')
    .set(ENDED)
    .where('album_id', '=', albumId)
    .where('kind', '=', kind)
    .$if(onlyClaimed, (query) => query.where('claimed_at', 'is not', null))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Lets the letters to an album's address that are open count again when they are sent, and those that wait go out now: the
 *  limits may be others.
 *  @param kinds of letters to that address
 *  @returns the ids of those that wait */
export async function wakeLetters(trx: Trx, albumId: string, kinds: string[]): Promise<string[]> {
  const rows = await trx
    .updateTable('letters')
    .set({ due_at: sql<Date>`now()`, counted_at: null, mailbox_hash: null })
    .where('album_id', '=', albumId)
    .where('kind', 'in', kinds)
    .where(isOpen)
    .returning(['id', 'claimed_at'])
    .execute()
  return rows.flatMap(({ id, claimed_at }) => (claimed_at ? [] : [id]))
}

/** Whether an album may have sent any letter. */
export async function hasSentLetters(trx: Trx, albumId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('letters')
    .select('id')
    .where('album_id', '=', albumId)
    .where('claimed_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Takes all letters from an album, or from alerts. Their rows only count for the limits of a day from now on.
 *  @returns their ids */
export async function detachLetters(
  trx: Trx,
  of: { albumId: string } | { alertIds: string[] },
): Promise<string[]> {
  const rows = await trx
    .updateTable('letters')
    .set({ ...ENDED, album_id: null, subject_id: null })
    .where((where) =>
      'albumId' in of
        ? where('album_id', '=', of.albumId)
        : where('subject_id', '=', sql<string>`any(${of.alertIds}::uuid[])`),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Makes the letters of an alert those of another one, which replaces it. */
export async function moveLetters(trx: Trx, fromAlert: string, toAlert: string): Promise<void> {
  await trx
    .updateTable('letters')
    .set({ subject_id: toAlert })
    .where('subject_id', '=', fromAlert)
    .where('ended_at', 'is', null)
    .execute()
  await detachLetters(trx, { alertIds: [fromAlert] })
}

/** The letter that asks to confirm another address of an album, while that is possible. There is one at most. */
export function findAddressLetter(db: Db | Trx, albumId: string) {
  return db
    .selectFrom('letters')
    .selectAll()
    .where('album_id', '=', albumId)
    .where('kind', '=', 'confirm-address')
    .where('recipient', 'is not', null)
    .where('created_at', '>', secondsAgo(CONFIRM_SECONDS))
    .$narrowType<{ recipient: Buffer }>()
    .executeTakeFirst()
}

/** Seconds since a letter of the same kind and album was begun; undefined when there was none. */
export async function secondsSinceLetter(trx: Trx, letter: LetterRow): Promise<number | undefined> {
  const row = await trx
    .selectFrom('letters')
    .select(secondsSince<number | null>(sql`max(claimed_at)`).as('seconds'))
    .where('album_id', '=', letter.album_id)
    .where('kind', '=', letter.kind)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row?.seconds ?? undefined
}

/** The letters of these kinds that count for a mailbox or an album within a day, the newest first, each with its age in seconds.
 *  Lets only one transaction at a time count the letters of a mailbox, until it ends. */
export async function countedLetters(
  trx: Trx,
  { kinds, mailboxHash, albumId }: { kinds: string[]; mailboxHash: Buffer; albumId: string | null },
) {
  await sql`select pg_advisory_xact_lock(${mailboxHash.readBigInt64BE()})`.execute(trx)
  const isToMailbox = sql<boolean>`mailbox_hash = ${mailboxHash}`
  const isOfAlbum = sql<boolean>`coalesce(album_id = ${albumId}::uuid, false)`
  return await trx
    .selectFrom('letters')
    .select([
      secondsSince(sql.ref('counted_at')).as('age'),
      isToMailbox.as('isToMailbox'),
      isOfAlbum.as('isOfAlbum'),
      'asker_hash',
    ])
    .where('kind', 'in', kinds)
    .where('counted_at', '>', secondsAgo(DAY_SECONDS))
    .where((where) => where.or([isToMailbox, isOfAlbum]))
    .orderBy('counted_at', 'desc')
    .execute()
}

/** Whether no letters may go to an address. */
export async function isRefusedAddress(db: Db | Trx, hashes: Buffer[]): Promise<boolean> {
  const row = await db
    .selectFrom('refused_addresses')
    .select('refused_at')
    .where('address_hash', 'in', hashes)
    .where((where) =>
      where.or([where('refused_at', '>', secondsAgo(REFUSED_SECONDS)), where('album_id', 'is not', null)]),
    )
    .executeTakeFirst()
  return row !== undefined
}

/** @param albumId for as long as this album exists; otherwise for 30 days */
export async function saveRefusedAddress(db: Db | Trx, addressHash: Buffer, albumId?: string): Promise<void> {
  const row = { address_hash: addressHash, album_id: albumId ?? null, refused_at: sql<Date>`now()` }
  await db
    .insertInto('refused_addresses')
    .values(row)
    .onConflict((conflict) => conflict.column('address_hash').doUpdateSet(row))
    .execute()
}

/** Another address takes the place of the one that refused the letters about an album: the refusal lasts 30 days. */
export async function endRefusalsOfAlbum(trx: Trx, albumId: string): Promise<void> {
  await trx.updateTable('refused_addresses').set({ album_id: null }).where('album_id', '=', albumId).execute()
}

/** Forgets what no longer counts for a limit, refusals that are over, addresses that nobody has confirmed in time, and letters of
 *  no album a day after they were sent.
 *  @returns the ids of the letters that are gone */
export async function forgetOldLetters(db: Db): Promise<string[]> {
  await db
    .deleteFrom('refused_addresses')
    .where('refused_at', '<=', secondsAgo(REFUSED_SECONDS))
    .where('album_id', 'is', null)
    .execute()
  const gone = await db
    .deleteFrom('letters')
    .where('album_id', 'is', null)
    .where((where) =>
      where.or([where('ended_at', 'is not', null), where('sent_at', '<=', secondsAgo(DAY_SECONDS))]),
    )
    .where((where) =>
      where.or([where('counted_at', 'is', null), where('counted_at', '<=', secondsAgo(DAY_SECONDS))]),
    )
    .returning('id')
    .execute()
  await db
    .updateTable('letters')
    .set({ mailbox_hash: null, asker_hash: null })
    .where('mailbox_hash', 'is not', null)
    .where('counted_at', '<=', secondsAgo(DAY_SECONDS))
    .execute()
  await db
    .updateTable('letters')
    .set({ recipient: null })
    .where('kind', '=', 'confirm-address')
    .where('recipient', 'is not', null)
    .where('created_at', '<=', secondsAgo(CONFIRM_SECONDS))
    .execute()
  return gone.map(({ id }) => id)
}
