import { type ExpressionBuilder, sql } from 'kysely'
import { ALERT_CONFIRM_HOURS, ALERT_DAYS } from '../contract/limits.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Database, PhotoAlert } from '../database/schema.ts'
import { secondsAgo } from '../database/times.ts'

const DAY_SECONDS = 24 * 3600
/** The shortest time between two letters to one guest about one album. */
const PAUSE_SECONDS = DAY_SECONDS

/** The condition that an alert has not ended. */
function isOn(where: ExpressionBuilder<Database, 'photo_alerts'>) {
  const isConfirmedInTime = where.or([
    where('confirmed_at', 'is not', null),
    where('created_at', '>', secondsAgo(ALERT_CONFIRM_HOURS * 3600)),
  ])
  return where.and([where('ends_at', '>', sql<Date>`now()`), isConfirmedInTime])
}

/** @returns undefined when it has ended, or never was */
export function findAlert(db: Db | Trx, id: string): Promise<PhotoAlert | undefined> {
  return db.selectFrom('photo_alerts').selectAll().where('id', '=', id).where(isOn).executeTakeFirst()
}

/** The alert that a letter was sent for, or the one that has replaced it since.
 *  @returns undefined when it has ended, or never was */
export function findAlertOfLetter(db: Db, letterId: string): Promise<PhotoAlert | undefined> {
  return db
    .selectFrom('photo_alerts')
    .selectAll()
    .where(sql<boolean>`letter_ids @> array[${letterId}::uuid]`)
    .where(isOn)
    .executeTakeFirst()
}

/** Inserts an alert that waits to be confirmed. Others of the same address go on waiting: anybody may have asked for them,
 *  or for this one.
 *  @param alert without the times
 *  @param searchedAt photos that were indexed later are new */
export async function insertAlert(
  trx: Trx,
  alert: Pick<PhotoAlert, 'id' | 'album_id' | 'address_hash' | 'sealed' | 'consent_version' | 'letter_ids'>,
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

/** Confirms an alert. It replaces the one that was confirmed before for the same address and album, with the time of its
 *  last letter. The caller has locked the album.
 *  @param hashes all of its address */
export async function markConfirmed(trx: Trx, alert: PhotoAlert, hashes: Buffer[]): Promise<void> {
  const former = await trx
    .deleteFrom('photo_alerts')
    .where('album_id', '=', alert.album_id)
    .where('address_hash', 'in', hashes)
    .where('confirmed_at', 'is not', null)
    .where('id', '<>', alert.id)
    .returning(['letter_ids', 'told_at'])
    .executeTakeFirst()
  await trx
    .updateTable('photo_alerts')
    .set({
      confirmed_at: sql<Date>`now()`,
      letter_ids: [...(former?.letter_ids ?? []), ...alert.letter_ids],
      ...(former?.told_at && { told_at: former.told_at }),
    })
    .where('id', '=', alert.id)
    .execute()
}

export async function deleteAlerts(db: Db | Trx, ids: string[]): Promise<void> {
  await db.deleteFrom('photo_alerts').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
}

/** Ended alerts that are not deleted yet. */
export function endedAlerts(db: Db, limit: number): Promise<Pick<PhotoAlert, 'id' | 'letter_ids'>[]> {
  return db
    .selectFrom('photo_alerts')
    .select(['id', 'letter_ids'])
    .where((where) => where.not(isOn(where)))
    .limit(limit)
    .execute()
}

/** The confirmed alerts whose guest may get a letter now. Either a letter has begun. Or photos were indexed since the
 *  last look, none is left to index, and the guest got no letter within a day. */
export async function dueAlerts(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('photo_alerts')
    .innerJoin('albums', 'albums.id', 'photo_alerts.album_id')
    .select('photo_alerts.id')
    .where('photo_alerts.confirmed_at', 'is not', null)
    .where((where) =>
      where.or([
        where('letter_until', 'is not', null),
        where.and([
          where('albums.last_settled_at', '>', where.ref('looked_until')),
          isPauseOver(where),
          hasNoMoreToIndex(where),
        ]),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Begins a look for new photos. The caller has locked the album, so no photo gets an earlier time afterwards.
 *  @returns the time of the look; undefined when the guest may get no letter now, or one has begun */
export async function beginLook(trx: Trx, id: string): Promise<Date | undefined> {
  const row = await trx
    .selectFrom('photo_alerts')
    .innerJoin('albums', 'albums.id', 'photo_alerts.album_id')
    .select(sql<Date>`clock_timestamp()`.as('until'))
    .where('photo_alerts.id', '=', id)
    .where('letter_until', 'is', null)
    .where(isPauseOver)
    .where(hasNoMoreToIndex)
    .executeTakeFirst()
  return row?.until
}

function isPauseOver(where: ExpressionBuilder<Database, 'photo_alerts' | 'albums'>) {
  return where.or([where('told_at', 'is', null), where('told_at', '<=', secondsAgo(PAUSE_SECONDS))])
}

function hasNoMoreToIndex(where: ExpressionBuilder<Database, 'photo_alerts' | 'albums'>) {
  const openRound = where
    .selectFrom('upload_rounds')
    .select('upload_rounds.id')
    .whereRef('upload_rounds.album_id', '=', 'albums.id')
    .where('closed_at', 'is', null)
  return where.and([
    where('photos_settled', '>=', where.ref('photos_stored')),
    where.not(where.exists(openRound)),
  ])
}

/** Records a look that has found nothing new. */
export async function recordLook(db: Db, id: string, until: Date): Promise<void> {
  await db
    .updateTable('photo_alerts')
    .set({ looked_until: sql<Date>`greatest(looked_until, ${until}::timestamptz)` })
    .where('id', '=', id)
    .where('letter_until', 'is', null)
    .execute()
}

/** Begins a letter about what a look has found.
 *  @returns undefined when another process has begun one, or the alert is gone */
export function recordLetterBegun(
  db: Db,
  alert: PhotoAlert,
  letter: { id: string; until: Date; photos: number },
): Promise<PhotoAlert | undefined> {
  return (
    db
      .updateTable('photo_alerts')
      .set({
        letter_ids: sql<string[]>`letter_ids || ${letter.id}::uuid`,
        letter_until: letter.until,
        letter_photos: letter.photos,
      })
      .where('id', '=', alert.id)
      .where('letter_until', 'is', null)
      // Each letter that was begun has added one.
      .where(sql<number>`cardinality(letter_ids)`, '=', alert.letter_ids.length)
      .returningAll()
      .executeTakeFirst()
  )
}

/** Records that the letter that had begun was sent. */
export async function recordLetter(db: Db, id: string, letterId: string): Promise<void> {
  await db
    .updateTable('photo_alerts')
    .set((alert) => ({
      looked_until: sql<Date>`coalesce(letter_until, ${alert.ref('looked_until')})`,
      told_at: sql<Date>`now()`,
      letter_until: null,
      letter_photos: null,
    }))
    .where('id', '=', id)
    .where(sql<string>`letter_ids[cardinality(letter_ids)]`, '=', letterId)
    .execute()
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
