import { sql } from 'kysely'
import type { AlbumReference } from '../albums/queries.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Album, UploadRound } from '../database/schema.ts'
import { secondsAgo, secondsSince } from '../database/times.ts'

/** @param quietSeconds when given, finds only a round whose last activity is longer ago. */
export function findOpenRound(
  trx: Trx,
  albumId: string,
  quietSeconds?: number,
): Promise<UploadRound | undefined> {
  return trx
    .selectFrom('upload_rounds')
    .selectAll()
    .where('album_id', '=', albumId)
    .where('closed_at', 'is', null)
    .$if(quietSeconds !== undefined, (query) =>
      query.where('last_activity_at', '<', secondsAgo(quietSeconds!)),
    )
    .executeTakeFirst()
}

export function insertRound(trx: Trx, albumId: string, total: number | null): Promise<UploadRound> {
  return trx
    .insertInto('upload_rounds')
    .values({ album_id: albumId, total })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Records that the owner is still sending. */
export function touchRound(trx: Trx, roundId: string, total: number | null): Promise<UploadRound> {
  return trx
    .updateTable('upload_rounds')
    .set({ last_activity_at: sql<Date>`now()`, total })
    .where('id', '=', roundId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function addToRound(trx: Trx, roundId: string, photos: number): Promise<void> {
  await trx
    .updateTable('upload_rounds')
    .set((row) => ({ photos_added: row('photos_added', '+', photos) }))
    .where('id', '=', roundId)
    .execute()
}

export async function closeRound(trx: Trx, roundId: string): Promise<void> {
  await trx
    .updateTable('upload_rounds')
    .set({ closed_at: sql<Date>`now()` })
    .where('id', '=', roundId)
    .execute()
}

/** Albums whose open round has had no activity for this many seconds. */
export async function albumsWithQuietRounds(db: Db, quietSeconds: number): Promise<string[]> {
  const rows = await db
    .selectFrom('upload_rounds')
    .select('album_id')
    .where('closed_at', 'is', null)
    .where('last_activity_at', '<', secondsAgo(quietSeconds))
    .execute()
  return rows.map((row) => row.album_id)
}

/** Marks every closed round of the album as completed.
 *  @returns those that are newly completed */
export function completeClosedRounds(
  trx: Trx,
  albumId: string,
): Promise<Pick<UploadRound, 'id' | 'photos_added'>[]> {
  return (
    trx
      .updateTable('upload_rounds')
      // Not the beginning of the transaction, which may have waited for the album's lock.
      .set({ completed_at: sql<Date>`statement_timestamp()` })
      .where('album_id', '=', albumId)
      .where('closed_at', 'is not', null)
      .where('completed_at', 'is', null)
      .returning(['id', 'photos_added'])
      .execute()
  )
}

/** An album keeps at most this many refused files. A client can send them at no cost. */
export const REFUSED_FILES_KEPT = 10_000

/** @param round of an album that is locked by this transaction */
export async function insertRefusedFiles(
  trx: Trx,
  { id: round_id, album_id }: Pick<UploadRound, 'id' | 'album_id'>,
  files: { filename: string; reason: string }[],
): Promise<void> {
  if (files.length === 0) return
  const { kept } = await trx
    .selectFrom('refused_files')
    .select((eb) => eb.fn.countAll<string>().as('kept'))
    .where('album_id', '=', album_id)
    .executeTakeFirstOrThrow()
  const added = files.slice(0, Math.max(0, REFUSED_FILES_KEPT - Number(kept)))
  if (added.length === 0) return
  await trx
    .insertInto('refused_files')
    .values(added.map((file) => ({ ...file, round_id, album_id })))
    .onConflict((conflict) => conflict.constraint('refused_files_once_per_round').doNothing())
    .execute()
}

/** Seconds after which a measurement counts only about a third. */
export const FORGET_SECONDS = 120
/** Without a settled photo for longer, indexing has paused: the engine is unavailable, works for many other albums,
 *  or has nothing to do. */
export const PAUSE_SECONDS = 60

/** What changes in an album's row when photos are settled: the moment, and the weighted counts that `paceOf` reads.
 *  The time before the first photos, and before those that follow a pause, says nothing about the pace, so it is not
 *  counted. The row is locked, so the clock never runs backwards from one change to the next. */
export function paceAfter(settled: number) {
  const passed = sql`extract(epoch from clock_timestamp() - last_settled_at)`
  // Null before the first photos and after a pause. Then the sums below are null, too, and begin at zero.
  const seconds = sql`case when ${passed} <= ${PAUSE_SECONDS}::float8 then ${passed}::float8 end`
  const kept = sql`exp(-${seconds} / ${FORGET_SECONDS}::float8)`
  return {
    last_settled_at: sql<Date>`clock_timestamp()`,
    recently_settled: sql<number>`coalesce(recently_settled * ${kept} + ${settled}::float8, 0)`,
    recent_seconds: sql<number>`coalesce(recent_seconds * ${kept} + ${seconds}, 0)`,
  }
}

/** An album as the progress calls read it, with the total of its open round, if any. */
export function findAlbumWithProgress(db: Db, key: AlbumReference) {
  return db
    .selectFrom('albums')
    .leftJoin('upload_rounds as open', (join) =>
      join.onRef('open.album_id', '=', 'albums.id').on('open.closed_at', 'is', null),
    )
    .select([
      'albums.id',
      'albums.password_version',
      'albums.owner_key_version',
      'albums.settings',
      'albums.photos_stored',
      'albums.photos_settled',
      'albums.completed_at',
      'albums.faces_ended_at',
      'albums.engine',
      'albums.recently_settled',
      'albums.recent_seconds',
      secondsSince<number | null>(sql.ref('albums.last_settled_at')).as('seconds_since_settled'),
      // Photos wait that were indexed before, in another engine.
      sql<boolean>`photos_settled < photos_stored and exists (
        select from photos where photos.album_id = albums.id and photos.engine is null and face_count is not null
      )`.as('is_reindexing'),
      'open.id as open_round_id',
      'open.total as open_round_total',
    ])
    .$if('id' in key, (query) => query.where('albums.id', '=', (key as { id: string }).id))
    .$if('ownerKeyHash' in key, (query) =>
      query.where('albums.owner_key_hash', '=', (key as { ownerKeyHash: Buffer }).ownerKeyHash),
    )
    .executeTakeFirst()
}

export type AlbumWithProgress = NonNullable<Awaited<ReturnType<typeof findAlbumWithProgress>>>

/** @returns the locked album with its new counters */
export function addToCounters(
  trx: Trx,
  albumId: string,
  add: { stored?: number; bytes?: number; settled?: number; faces?: number },
): Promise<Album> {
  return trx
    .updateTable('albums')
    .set((row) => ({
      photos_stored: row('photos_stored', '+', add.stored ?? 0),
      bytes_stored: row('bytes_stored', '+', String(add.bytes ?? 0)),
      photos_settled: row('photos_settled', '+', add.settled ?? 0),
      faces_found: row('faces_found', '+', add.faces ?? 0),
      ...(add.settled && add.settled > 0 && paceAfter(add.settled)),
    }))
    .where('id', '=', albumId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function markCompleted(trx: Trx, albumId: string): Promise<void> {
  await trx
    .updateTable('albums')
    .set({ completed_at: sql<Date>`coalesce(completed_at, now())` })
    .where('id', '=', albumId)
    .execute()
}
