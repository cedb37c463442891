import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'

/** A collection that receives faces. */
export interface Collection {
  id: string
  engine: EngineName
}

/** Records that an album has a collection in an engine, before the collection is created.
 *  @returns undefined when the album has been erased. */
export async function recordCollection(
  db: Db,
  albumId: string,
  engine: EngineName,
): Promise<(Collection & { is_leaving: boolean }) | undefined> {
  const known = await findCollection(db, { albumId, engine })
  if (known) return known
  // If the album is being erased, this waits until its row is gone, and then inserts nothing.
  await sql`
    insert into album_engines (album_id, engine)
    select id, ${engine} from albums where id = ${albumId} for key share
    on conflict do nothing`.execute(db)
  return await findCollection(db, { albumId, engine })
}

function findCollection(db: Db, { albumId, engine }: { albumId: string; engine: EngineName }) {
  return db
    .selectFrom('album_engines')
    .select(['collection_id as id', 'engine', 'is_leaving'])
    .where('album_id', '=', albumId)
    .where('engine', '=', engine)
    .executeTakeFirst()
}

/** Whether all of these collections still exist, and none was deleted and created again. */
export async function collectionsExist(trx: Trx, collections: Collection[]): Promise<boolean> {
  const ids = [...new Set(collections.map(({ id }) => id))]
  const rows = await trx
    .selectFrom('album_engines')
    .select('engine')
    .where('collection_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('is_leaving', '=', false)
    .execute()
  return rows.length === ids.length
}

/** Which of these albums have a collection in an engine. */
export async function albumsInEngine(db: Db, albumIds: string[], engine: EngineName): Promise<string[]> {
  const rows = await db
    .selectFrom('album_engines')
    .select('album_id')
    .where('album_id', '=', sql<string>`any(${albumIds}::uuid[])`)
    .where('engine', '=', engine)
    .execute()
  return rows.map((row) => row.album_id)
}

/** The engines in which an album has a collection. */
export async function enginesOf(db: Db | Trx, albumId: string): Promise<EngineName[]> {
  const rows = await db
    .selectFrom('album_engines')
    .select('engine')
    .where('album_id', '=', albumId)
    .orderBy('engine')
    .execute()
  return rows.map((row) => row.engine)
}
