import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { Album, UploadRound } from '../database/schema.ts'
import { secondsAgo, secondsFromNow, secondsSince } from '../database/times.ts'

/** A round, and whether a job will come for its letter at a later time. */
export type RoundForLetter = UploadRound & { has_later_job: boolean }

/** The round with its album, which is locked for the rest of the transaction.
 *  @returns undefined when the album has been erased */
export async function lockRound(
  trx: Trx,
  roundId: string,
): Promise<{ round: RoundForLetter; album: Album } | undefined> {
  const album = await trx
    .selectFrom('albums')
    .selectAll()
    .where('id', '=', (query) =>
      query.selectFrom('upload_rounds').select('album_id').where('upload_rounds.id', '=', roundId),
    )
    .forNoKeyUpdate()
    .executeTakeFirst()
  const round = await trx
    .selectFrom('upload_rounds')
    .selectAll()
    // Compared with the database's clock, which also starts the job.
    .select(sql<boolean>`coalesce(letter_due_at > now(), false)`.as('has_later_job'))
    .where('id', '=', roundId)
    .executeTakeFirst()
  return album && round && { round, album }
}

/** The round whose letter waits for the next day; later rounds share it. */
export function findWaitingLetter(trx: Trx, albumId: string): Promise<UploadRound | undefined> {
  return trx
    .selectFrom('upload_rounds')
    .selectAll()
    .where('album_id', '=', albumId)
    .where('letter_due_at', 'is not', null)
    .where('letter_begun_at', 'is', null)
    .where('letter_sent_at', 'is', null)
    .executeTakeFirst()
}

/** Decides which round's letter is also this round's. */
export async function assignLetter(trx: Trx, roundId: string, letterOf: string): Promise<void> {
  await trx.updateTable('upload_rounds').set({ letter_of: letterOf }).where('id', '=', roundId).execute()
}

/** Lets the round's letter wait this many seconds. */
export async function deferLetter(trx: Trx, roundId: string, seconds: number): Promise<void> {
  await trx
    .updateTable('upload_rounds')
    .set({ letter_due_at: secondsFromNow(seconds) })
    .where('id', '=', roundId)
    .execute()
}

export async function markLetterBegun(trx: Trx, roundId: string): Promise<void> {
  await trx
    .updateTable('upload_rounds')
    .set({ letter_begun_at: sql<Date>`now()` })
    .where('id', '=', roundId)
    .execute()
}

/** Marks the letter as sent, or given up, for every round that shares it. */
export async function markLetterSent(db: Db | Trx, round: { id: string; album_id: string }): Promise<void> {
  await db
    .updateTable('upload_rounds')
    .set({ letter_sent_at: sql<Date>`now()` })
    .where('album_id', '=', round.album_id)
    .where((where) => where.or([where('id', '=', round.id), where('letter_of', '=', round.id)]))
    .execute()
}

/** The rounds that share a letter. */
export async function roundsOfLetter(db: Db, round: { id: string; album_id: string }): Promise<string[]> {
  const rows = await db
    .selectFrom('upload_rounds')
    .select('id')
    .where('album_id', '=', round.album_id)
    .where('letter_of', '=', round.id)
    .execute()
  return rows.map((row) => row.id)
}

/** What a letter is about: its photos, and the seconds from the first upload until all were settled. If a client just
 *  stops, its round is completed later than its last photo was settled.
 *  @returns undefined when the letter also waited for later rounds. The time between them says nothing. */
export function workOfLetter(
  db: Db,
  round: { id: string; album_id: string },
): Promise<{ photos: number; seconds: number } | undefined> {
  const completion = db.selectFrom('upload_rounds').select('completed_at').where('id', '=', round.id)
  const seconds = sql<number>`
    extract(epoch from least(max(rounds.completed_at), last_settled_at) - min(opened_at))::float8`
  // Rounds that end together are completed at the same moment, and only the last one is given the letter.
  return db
    .selectFrom('upload_rounds as rounds')
    .innerJoin('albums', 'albums.id', 'rounds.album_id')
    .select([sql<number>`sum(photos_added)::int`.as('photos'), seconds.as('seconds')])
    .where('album_id', '=', round.album_id)
    .where((where) =>
      where.or([where('rounds.completed_at', '=', completion), where('letter_of', '=', round.id)]),
    )
    .groupBy('albums.id')
    .having((eb) => eb.fn.count('rounds.completed_at').distinct(), '=', 1)
    .executeTakeFirst()
}

/** The ages in seconds of the newest letters of an album within a period, the newest first. */
export async function agesOfLetters(
  trx: Trx,
  albumId: string,
  { withinSeconds, limit }: { withinSeconds: number; limit: number },
): Promise<number[]> {
  const rows = await trx
    .selectFrom('upload_rounds')
    .select(secondsSince(sql.ref('letter_begun_at')).as('age'))
    .where('album_id', '=', albumId)
    .where('letter_begun_at', '>', secondsAgo(withinSeconds))
    .orderBy('letter_begun_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.age)
}

/** The ids of all letters that an album may have sent: those of its completed rounds, those about opt-outs, those to guests,
 *  and those about changes of its address. */
export async function lettersOfAlbum(trx: Trx, albumId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('upload_rounds')
    .select('id')
    .where('album_id', '=', albumId)
    .where('completed_at', 'is not', null)
    .where('photos_added', '>', 0)
    .union(
      trx
        .selectFrom('opt_outs')
        .select((eb) => eb.ref('letter_id').$notNull().as('id'))
        .where('album_id', '=', albumId)
        .where('letter_id', 'is not', null),
    )
    .union(
      trx
        .selectFrom('photo_alerts')
        .select(sql<string>`unnest(letter_ids)`.as('id'))
        .where('album_id', '=', albumId),
    )
    .union(
      trx
        .selectFrom('address_changes')
        .select(sql<string>`unnest(array[id, notice_id])`.as('id'))
        .where('album_id', '=', albumId),
    )
    .execute()
  return rows.map((row) => row.id)
}

export async function markAddressConfirmed(trx: Trx, albumId: string): Promise<void> {
  await trx
    .updateTable('albums')
    .set({ address_confirmed_at: sql<Date>`now()` })
    .where('id', '=', albumId)
    .execute()
}

/** Sets another address for an album's letters. A letter that has begun and may not have arrived is begun again, because
 *  the limits of the new address count for it. */
export async function setLetterAddress(
  trx: Trx,
  albumId: string,
  { email, isConfirmed }: { email: string; isConfirmed: boolean },
): Promise<void> {
  await trx
    .updateTable('albums')
    .set({ email, address_confirmed_at: isConfirmed ? sql<Date>`now()` : null, letters_ended_at: null })
    .where('id', '=', albumId)
    .execute()
  await trx
    .updateTable('upload_rounds')
    .set({ letter_begun_at: null })
    .where('album_id', '=', albumId)
    .where('letter_begun_at', 'is not', null)
    .where('letter_sent_at', 'is', null)
    .execute()
}

/** Forgets the letters about an album's opt-outs, so that the next one has no pause. Those that can still be answered then
 *  count as not named in any letter: those that can be revoked, and those with a request to hide photos that has no
 *  answer.
 *  @returns the ids of the letters */
export async function forgetTold(trx: Trx, albumId: string): Promise<string[]> {
  const letters = await trx
    .selectFrom('opt_outs')
    .select((eb) => eb.ref('letter_id').$notNull().as('id'))
    .distinct()
    .where('album_id', '=', albumId)
    .where('letter_id', 'is not', null)
    .execute()
  const isOpen = sql<boolean>`state = 'active' or (photos_to_hide is not null and answer is null)`
  await trx
    .updateTable('opt_outs')
    .set({ letter_id: null, told_at: sql<Date | null>`case when ${isOpen} then null else told_at end` })
    .where('album_id', '=', albumId)
    .where((or) => or.or([or('letter_id', 'is not', null), isOpen]))
    .execute()
  return letters.map(({ id }) => id)
}

/** @returns false when the letters had ended before */
export async function markLettersEnded(db: Db | Trx, albumId: string): Promise<boolean> {
  const row = await db
    .updateTable('albums')
    .set({ letters_ended_at: sql<Date>`now()` })
    .where('id', '=', albumId)
    .where('letters_ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
