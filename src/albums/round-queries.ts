import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { UploadRound } from '../database/schema.ts'
import { secondsAgo } from '../database/times.ts'

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

/** @param albumId the album of all of them, locked by this transaction */
export async function insertRefusedFiles(
  trx: Trx,
  albumId: string,
  files: { round_id: string; filename: string; reason: string }[],
): Promise<void> {
  if (files.length === 0) return
  const { kept } = await trx
    .selectFrom('refused_files')
    .select((eb) => eb.fn.countAll<string>().as('kept'))
    .where('album_id', '=', albumId)
    .executeTakeFirstOrThrow()
  const added = files.slice(0, Math.max(0, REFUSED_FILES_KEPT - Number(kept)))
  if (added.length === 0) return
  await trx
    .insertInto('refused_files')
    .values(added.map((file) => ({ ...file, album_id: albumId })))
    .onConflict((conflict) => conflict.constraint('refused_files_once_per_round').doNothing())
    .execute()
}
