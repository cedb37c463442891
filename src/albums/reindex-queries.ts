import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { Album, EngineName, Photo } from '../database/schema.ts'

/** The names of albums that another engine than this one has indexed. */
export async function albumsOfAnotherEngine(db: Db, engine: EngineName): Promise<string[]> {
  const rows = await db
    .selectFrom('albums')
    .select('slug')
    .where('engine', '<>', engine)
    .orderBy('created_at')
    .execute()
  return rows.map(({ slug }) => slug)
}

/** Makes this the album's engine. All photos of another engine wait for it, and those that were given up are tried again.
 *  @param album locked by this transaction */
export async function setEngine(trx: Trx, album: Album, engine: EngineName): Promise<void> {
  const isOther = album.engine !== null && album.engine !== engine
  const { numUpdatedRows } = await trx
    .updateTable('photos')
    .set({
      engine: null,
      state: sql<Photo['state']>`case when state = 'given_up' then 'stored' else state end`,
      given_up_reason: null,
    })
    .where('album_id', '=', album.id)
    .where('engine', 'is not', null)
    .$if(!isOther, (query) => query.where('state', '=', 'given_up'))
    .executeTakeFirst()
  await trx
    .updateTable('albums')
    .set((row) => ({
      engine,
      photos_settled: row('photos_settled', '-', Number(numUpdatedRows)),
      ...(isOther && { engines_to_clear: [...album.engines_to_clear, album.engine!] }),
    }))
    .where('id', '=', album.id)
    .execute()
}

/** All photos of an album, in the order of their upload, and whether each is indexed already. */
export function photosToIndex(trx: Trx, albumId: string) {
  return trx
    .selectFrom('photos')
    .select((eb) => ['id', eb('engine', 'is not', null).as('isIndexed')])
    .where('album_id', '=', albumId)
    .orderBy('created_at')
    .orderBy('filename')
    .execute()
}

/** Whether faces of an album are still to be removed from an engine. */
export async function isToClear(db: Db, albumId: string, engine: EngineName): Promise<boolean> {
  const album = await db
    .selectFrom('albums')
    .select('engines_to_clear')
    .where('id', '=', albumId)
    .executeTakeFirst()
  return album?.engines_to_clear.includes(engine) ?? false
}

export async function recordCleared(db: Db, albumId: string, engine: EngineName): Promise<void> {
  await db
    .updateTable('albums')
    .set({ engines_to_clear: sql<EngineName[]>`array_remove(engines_to_clear, ${engine})` })
    .where('id', '=', albumId)
    .execute()
}
