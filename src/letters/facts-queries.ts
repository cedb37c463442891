import { type ExpressionBuilder, sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { Album, Database, Erasure, LetterRow, OptOut, OptOutState } from '../database/schema.ts'
import { skippedFiles } from '../photos/owner-queries.ts'

/** What letters say about their albums. */

type Letter = Pick<LetterRow, 'id' | 'album_id'>

/** The upload rounds that a letter is about: those that were completed since the letter before. */
function isOfLetter({ id, album_id }: Letter) {
  const claimedAt = sql`(select claimed_at from letters where id = ${id})`
  const before = sql<Date>`coalesce(
    (select max(claimed_at) from letters where album_id = ${album_id} and kind = 'ready' and claimed_at < ${claimedAt}),
    '-infinity')`
  return (where: ExpressionBuilder<Database, 'upload_rounds'>) =>
    where.and([
      where('upload_rounds.album_id', '=', album_id!),
      where('upload_rounds.completed_at', '<=', sql<Date>`${claimedAt}`),
      where('upload_rounds.completed_at', '>', before),
    ])
}

/** What a letter is about: its photos, and the seconds from the first upload until all were settled. If a client just
 *  stops, its round is completed later than its last photo was settled.
 *  @returns undefined when the letter also waited for later rounds. The time between them says nothing. */
export function workOfLetter(db: Db, letter: Letter) {
  // Rounds that end together are completed at the same moment.
  return db
    .selectFrom('upload_rounds')
    .innerJoin('albums', 'albums.id', 'upload_rounds.album_id')
    .select([
      sql<number>`sum(photos_added)::int`.as('photos'),
      sql<number>`extract(epoch from least(max(upload_rounds.completed_at), max(last_settled_at)) - min(opened_at))::float8`.as(
        'seconds',
      ),
    ])
    .where(isOfLetter(letter))
    .having(sql<number>`count(distinct upload_rounds.completed_at)`, '=', 1)
    .executeTakeFirst()
}

/** The files that were refused in the rounds of a letter, and all photos that were given up: how many, and the newest ones. */
export async function skippedOfLetter(db: Db, letter: Letter, limit: number) {
  const first = await skippedFiles(db, letter.album_id!, { limit, inRounds: isOfLetter(letter) })
  return { total: first[0]?.total ?? 0, first }
}

/** Opt-outs that have ended need no letter. */
const NAMED_STATES: OptOutState[] = ['active', 'erased']

/** Lets a letter name the opt-outs that no letter has named. */
export async function nameOptOuts(trx: Trx, letter: Letter): Promise<void> {
  await trx
    .updateTable('opt_outs')
    .set({ letter_id: letter.id })
    .where('album_id', '=', letter.album_id!)
    .where('letter_id', 'is', null)
    .where('state', 'in', NAMED_STATES)
    .execute()
}

/** The opt-outs that a letter names, the oldest first. */
export function optOutsOfLetter(db: Db, letter: Letter): Promise<OptOut[]> {
  return db
    .selectFrom('opt_outs')
    .selectAll()
    .where('letter_id', '=', letter.id)
    .where('state', 'in', NAMED_STATES)
    .orderBy('created_at')
    .execute()
}

/** Lets another letter name the opt-outs of an album that can still be answered: those that can be undone, and those with a
 *  request to hide photos that has no answer.
 *  @returns whether there are any */
export async function nameOptOutsAgain(trx: Trx, albumId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('opt_outs')
    .set({ letter_id: null })
    .where('album_id', '=', albumId)
    .where('letter_id', 'is not', null)
    .where(sql<boolean>`(state = 'active' or (photos_to_hide is not null and answer is null))`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The albums whose letters go to an address, the newest first. */
export function albumsOfAddress(db: Db, email: string, limit: number): Promise<Album[]> {
  return db
    .selectFrom('albums')
    .selectAll()
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
}

/** What was erased of a former album; undefined until nothing of it remains. */
export function finishedErasure(db: Db, albumId: string): Promise<Erasure | undefined> {
  return db
    .selectFrom('erasures')
    .selectAll()
    .where('album_id', '=', albumId)
    .where('finished_at', 'is not', null)
    .executeTakeFirst()
}
