import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'

/** Records the engine that all photos are moved to. It replaces the former one. */
export async function setChosenEngine(db: Db, engine: EngineName): Promise<void> {
  await db
    .insertInto('chosen_engine')
    .values({ engine })
    .onConflict((conflict) => conflict.column('only').doUpdateSet({ engine }))
    .execute()
}

/** The engine that the last worker was started with; undefined before the first. */
export async function chosenEngine(db: Db | Trx): Promise<EngineName | undefined> {
  const row = await db.selectFrom('chosen_engine').select('engine').executeTakeFirst()
  return row?.engine
}

export function otherThan(engine: EngineName): EngineName {
  return engine === 'embedded' ? 'rekognition' : 'embedded'
}

/** Photos that this engine has neither indexed nor refused: another engine has indexed them, or they are to be indexed
 *  again. The index photos_by_engine finds them, because there are only two engines. */
function photosToMove(db: Db | Trx, engine: EngineName) {
  return db
    .selectFrom('photos')
    .where('state', '<>', 'stored')
    .where((or) => or.or([or('engine', 'is', null), or('engine', '=', otherThan(engine))]))
    .where(sql<boolean>`refused_by is distinct from ${engine}`)
}

/** The ids of photos that this engine has to index: the first one of each album, then the second of each, and so on. */
export async function findPhotosToMove(trx: Trx, engine: EngineName, limit: number): Promise<string[]> {
  const rows = await photosToMove(trx, engine)
    .select('id')
    .orderBy(sql`row_number() over (partition by album_id order by id)`)
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** How many photos this engine has to index, and in how many albums.
 *  @param albumId without it, all albums */
export async function countPhotosToMove(
  db: Db | Trx,
  engine: EngineName,
  albumId?: string,
): Promise<{ photos: number; albums: number }> {
  const { photos, albums } = await photosToMove(db, engine)
    .$if(albumId !== undefined, (query) => query.where('album_id', '=', albumId!))
    .select((eb) => [
      eb.fn.countAll<string>().as('photos'),
      eb.fn.count<string>('album_id').distinct().as('albums'),
    ])
    .executeTakeFirstOrThrow()
  return { photos: Number(photos), albums: Number(albums) }
}

/** Marks every settled photo of an album, so that it is indexed again.
 *  @returns how many photos were marked */
export async function forgetEngine(trx: Trx, albumId: string): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('photos')
    .set({ engine: null, refused_by: null })
    .where('album_id', '=', albumId)
    .where('state', '<>', 'stored')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** A photo with faces needs the collection that has them, or may have them. */
const isNeeded = sql<boolean>`exists (
  select from photos
  where photos.album_id = album_engines.album_id and photos.state in ('indexed', 'hidden') and photos.face_count > 0
    and (photos.engine = album_engines.engine or photos.engine is null)
)`

/** Collections in other engines than this one that no photo needs. */
export function collectionsToRemove(db: Db, engine: EngineName) {
  return db
    .selectFrom('album_engines')
    .select(['album_id', 'engine'])
    .where('engine', '<>', engine)
    .where((where) => where.or([where('is_leaving', '=', true), where.not(isNeeded)]))
    .execute()
}

/** Marks a collection as being removed, unless a photo needs it.
 *  @returns whether the collection is being removed now, also when that began earlier */
export async function beginRemoval(trx: Trx, albumId: string, engine: EngineName): Promise<boolean> {
  const result = await trx
    .updateTable('album_engines')
    .set({ is_leaving: true })
    .where('album_id', '=', albumId)
    .where('engine', '=', engine)
    .where((where) => where.or([where('is_leaving', '=', true), where.not(isNeeded)]))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Deletes the row of a collection whose removal has begun. */
export async function forgetCollection(db: Db, albumId: string, engine: EngineName): Promise<void> {
  await db
    .deleteFrom('album_engines')
    .where('album_id', '=', albumId)
    .where('engine', '=', engine)
    .where('is_leaving', '=', true)
    .execute()
}
