import { type ExpressionBuilder, sql } from 'kysely'
import { ALERT_CONFIRM_HOURS, ALERT_DAYS } from '../contract/limits.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Database, PhotoAlert } from '../database/schema.ts'
import { isOpenNow, secondsAgo } from '../database/times.ts'

const DAY_SECONDS = 24 * 3600
/** The shortest time between two letters to one guest about one album. */
const PAUSE_SECONDS = DAY_SECONDS

/** The condition that an alert has not ended. It has when none of its letters can arrive. */
function isOn(where: ExpressionBuilder<Database, 'photo_alerts'>) {
  const givenUp = where
    .selectFrom('letters')
    .select('letters.id')
    .whereRef('letters.subject_id', '=', 'photo_alerts.id')
    .where('letters.ended_at', 'is not', null)
  const isConfirmedInTime = where.or([
    where('confirmed_at', 'is not', null),
    where('photo_alerts.created_at', '>', secondsAgo(ALERT_CONFIRM_HOURS * 3600)),
  ])
  return where.and([
    where('ends_at', '>', sql<Date>`now()`),
    isConfirmedInTime,
    where.not(where.exists(givenUp)),
  ])
}

/** @returns undefined when it has ended, or never was */
export function findAlert(db: Db | Trx, id: string): Promise<PhotoAlert | undefined> {
  return db.selectFrom('photo_alerts').selectAll().where('id', '=', id).where(isOn).executeTakeFirst()
}

/** Inserts an alert that waits to be confirmed. Others of the same address go on waiting: anybody may have asked for them,
 *  or for this one.
 *  @param alert without the times
 *  @param searchedAt photos that were indexed later are new */
export async function insertAlert(
  trx: Trx,
  alert: Pick<PhotoAlert, 'id' | 'album_id' | 'address_hash' | 'sealed' | 'consent_version'>,
  searchedAt: Date,
): Promise<PhotoAlert> {
  return await trx
    .insertInto('photo_alerts')
    .values({
      ...alert,
      looked_until: sql<Date>`least(now(), ${searchedAt}::timestamptz)`,
      ends_at: sql<Date>`now() + make_interval(days => ${ALERT_DAYS}::integer)`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Confirms an alert. It replaces the one that was confirmed before for the same address and album. The caller has locked the
 *  album.
 *  @param hashes all of its address
 *  @returns the id of the one that it has replaced */
export async function markConfirmed(
  trx: Trx,
  alert: PhotoAlert,
  hashes: Buffer[],
): Promise<string | undefined> {
  const former = await trx
    .deleteFrom('photo_alerts')
    .where('album_id', '=', alert.album_id)
    .where('address_hash', 'in', hashes)
    .where('confirmed_at', 'is not', null)
    .where('id', '<>', alert.id)
    .returning('id')
    .executeTakeFirst()
  await trx
    .updateTable('photo_alerts')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('id', '=', alert.id)
    .execute()
  return former?.id
}

export async function deleteAlerts(db: Db | Trx, ids: string[]): Promise<void> {
  await db.deleteFrom('photo_alerts').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
}

/** The ids of ended alerts that are not deleted yet. */
export async function endedAlerts(db: Db, limit: number): Promise<{ id: string }[]> {
  return await db
    .selectFrom('photo_alerts')
    .select('id')
    .where((where) => where.not(isOn(where)))
    .limit(limit)
    .execute()
}

/** The confirmed alerts whose guest may get a letter now: the album is open, photos were indexed since the last look, none is left
 *  to index, no letter waits, and the guest got none within a day. */
export async function dueAlerts(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('photo_alerts')
    .innerJoin('albums', 'albums.id', 'photo_alerts.album_id')
    .select('photo_alerts.id')
    .where('photo_alerts.confirmed_at', 'is not', null)
    .where((where) =>
      where.and([
        where('albums.last_settled_at', '>', where.ref('looked_until')),
        isOpenNow,
        mayGetLetter(where),
        hasNoMoreToIndex(where),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Begins a look for new photos. The caller has locked the album, so no photo gets an earlier time afterwards.
 *  @returns the time of the look; undefined when the guest may get no letter now */
export async function beginLook(trx: Trx, id: string): Promise<Date | undefined> {
  const row = await trx
    .selectFrom('photo_alerts')
    .innerJoin('albums', 'albums.id', 'photo_alerts.album_id')
    .select(sql<Date>`clock_timestamp()`.as('until'))
    .where('photo_alerts.id', '=', id)
    .where(isOpenNow)
    .where(mayGetLetter)
    .where(hasNoMoreToIndex)
    .executeTakeFirst()
  return row?.until
}

function mayGetLetter(where: ExpressionBuilder<Database, 'photo_alerts'>) {
  const tooEarly = where
    .selectFrom('letters')
    .select('letters.id')
    .whereRef('letters.subject_id', '=', 'photo_alerts.id')
    .where('letters.kind', '=', 'news')
    .where((letter) =>
      letter.or([letter('sent_at', 'is', null), letter('sent_at', '>', secondsAgo(PAUSE_SECONDS))]),
    )
  return where.not(where.exists(tooEarly))
}

/** Whether all photos of the album can be searched. */
function hasNoMoreToIndex(where: ExpressionBuilder<Database, 'photo_alerts' | 'albums'>) {
  const openRound = where
    .selectFrom('upload_rounds')
    .select('upload_rounds.id')
    .whereRef('upload_rounds.album_id', '=', 'albums.id')
    .where('closed_at', 'is', null)
  return where.and([
    where('faces_ended_at', 'is', null),
    where('photos_settled', '>=', where.ref('photos_stored')),
    where.not(where.exists(openRound)),
  ])
}

/** Records a look. The caller has locked the album.
 *  @returns false when the guest may get no letter now */
export async function recordLook(trx: Trx, id: string, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('photo_alerts')
    .set({ looked_until: sql<Date>`greatest(looked_until, ${until}::timestamptz)` })
    .where('id', '=', id)
    .where(mayGetLetter)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** How many guests of an album get letters. */
export async function countConfirmedAlerts(db: Db, albumId: string): Promise<number> {
  const row = await db
    .selectFrom('photo_alerts')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('album_id', '=', albumId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
