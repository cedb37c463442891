import { sql } from 'kysely'
import type { Remains } from '../contract/albums/albums.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Album, EngineName, Erasure } from '../database/schema.ts'
import { secondsAgo } from '../database/times.ts'

/** What a check of all places has found. */
export interface FoundRemains extends Remains {
  /** An engine that may have faces of the album is currently unavailable. */
  isEngineUnavailable: boolean
}

/** Photos that one statement deletes, with their faces and places in results. */
const PHOTOS_IN_PORTION = 100

/** For so long no new album gets the name of an erased one, which guests may still open. */
const NAME_KEPT_SECONDS = 30 * 24 * 3600

/** Deletes the album's row and the rows of all small tables. From then on there is no such album. */
export async function deleteAlbum(trx: Trx, albumId: string): Promise<void> {
  await trx.deleteFrom('albums').where('id', '=', albumId).execute()
}

/** Records that an album is erased. Until the first check, all that it had counts as remaining. */
export async function insertErasure(
  trx: Trx,
  album: Album,
  { slugHash, engines, letters }: { slugHash: Buffer; engines: EngineName[]; letters: string[] },
): Promise<Erasure> {
  const { photos_stored: photos, faces_found: faces } = album
  return await trx
    .insertInto('erasures')
    .values({
      album_id: album.id,
      owner_key_hash: album.owner_key_hash,
      owner_key_version: album.owner_key_version,
      slug_hash: slugHash,
      engines,
      letters,
      photos,
      faces,
      rows_remaining: photos + faces,
      files_remaining: photos,
      faces_remaining: faces,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Whether an album that was erased in the last 30 days had a name.
 *  @param slugHashes the hashes of the name */
export async function wasNameErased(db: Db | Trx, slugHashes: Buffer[]): Promise<boolean> {
  const erasure = await db
    .selectFrom('erasures')
    .select('album_id')
    .where('slug_hash', '=', sql<Buffer>`any(${slugHashes})`)
    .where('erased_at', '>', secondsAgo(NAME_KEPT_SECONDS))
    .limit(1)
    .executeTakeFirst()
  return erasure !== undefined
}

export function findErasure(
  db: Db | Trx,
  key: { id: string } | { ownerKeyHash: Buffer },
): Promise<Erasure | undefined> {
  return db
    .selectFrom('erasures')
    .selectAll()
    .where((where) =>
      'id' in key ? where('album_id', '=', key.id) : where('owner_key_hash', '=', key.ownerKeyHash),
    )
    .executeTakeFirst()
}

/** Records what a check has found. If an engine is unavailable, all faces of the album count as remaining.
 *  @returns undefined for an album that an old version has erased: nothing is recorded */
export function recordRemains(
  db: Db,
  albumId: string,
  { rowsRemaining, filesRemaining, facesRemaining, isEngineUnavailable }: FoundRemains,
): Promise<Erasure | undefined> {
  const faces = sql<number>`${facesRemaining}::integer + case when ${isEngineUnavailable} then faces else 0 end`
  const isFinished = sql<boolean>`${rowsRemaining + filesRemaining}::integer + ${faces} = 0`
  return db
    .updateTable('erasures')
    .set({
      rows_remaining: rowsRemaining,
      files_remaining: filesRemaining,
      faces_remaining: faces,
      finished_at: sql<Date | null>`case when ${isFinished} then coalesce(finished_at, now()) end`,
    })
    .where('album_id', '=', albumId)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes the records of erasures that finished more than this many seconds ago. */
export async function forgetErasures(db: Db, seconds: number): Promise<void> {
  await db.deleteFrom('erasures').where('finished_at', '<', secondsAgo(seconds)).execute()
}

/** Deletes the photos of an erased album, with their faces, a little at a time. It waits for another call that deletes
 *  the same rows, so that none is left when it returns.
 *  @param until stops it early
 *  @returns whether everything is deleted */
export async function deleteRows(db: Db, albumId: string, until?: AbortSignal): Promise<boolean> {
  while (await hasPhotos(db, albumId)) {
    if (until?.aborted) return false
    await deletePortion(db, albumId)
  }
  return true
}

async function hasPhotos(db: Db, albumId: string): Promise<boolean> {
  const photos = await db.selectFrom('photos').select('id').where('album_id', '=', albumId).limit(1).execute()
  return photos.length > 0
}

/** Follows the order of an index, so that it reads no rows of other albums, and two calls do not wait for each other. */
async function deletePortion(db: Db, albumId: string): Promise<void> {
  await sql`
    delete from photos where id in (
      select id from photos where album_id = ${albumId}
      order by sha256 limit ${PHOTOS_IN_PORTION}
      for update
    )`.execute(db)
}

/** Tables whose rows name their album in `album_id`. */
const TABLES_OF_ALBUM = [
  'photos',
  'faces',
  'upload_rounds',
  'refused_files',
  'consents',
  'album_hours',
  'opt_outs',
  'photo_alerts',
  'letters',
] as const

/** The number of rows that still name the album. */
export async function countRowsOfAlbum(db: Db, albumId: string): Promise<number> {
  const count = (table: (typeof TABLES_OF_ALBUM)[number]) =>
    db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<string>().as('rows'))
      .where('album_id', '=', albumId)
  const album = db
    .selectFrom('albums')
    .select((eb) => eb.fn.countAll<string>().as('rows'))
    .where('id', '=', albumId)
  const counts = await TABLES_OF_ALBUM.reduce((query, table) => query.unionAll(count(table)), album).execute()
  return counts.reduce((sum, { rows }) => sum + Number(rows), 0)
}
