import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'
import { AppError } from '../errors.ts'

/** The engine that indexes an album's photos; undefined before its first photo, and when the album has been erased. */
export async function engineOf(db: Db | Trx, albumId: string): Promise<EngineName | undefined> {
  const album = await db.selectFrom('albums').select('engine').where('id', '=', albumId).executeTakeFirst()
  return album?.engine ?? undefined
}

/** Records an engine as the one of an album that has none yet. This comes before the album's collection is created, so that an
 *  erasure knows where faces may be. If the album is being erased, this waits until its row is gone, and records nothing.
 *  @returns the album's engine; undefined when the album has been erased, or its faces have ended
 *  @throws AppError SERVICE_UNAVAILABLE while faces that have ended are still being removed from this engine */
export async function claimAlbum(
  db: Db,
  albumId: string,
  engine: EngineName,
): Promise<EngineName | undefined> {
  const known = await engineOf(db, albumId)
  if (known) return known
  await db
    .updateTable('albums')
    .set({ engine })
    .where('id', '=', albumId)
    .where('engine', 'is', null)
    .where(sql<boolean>`faces_ended_at is null and ${engine} <> all(engines_to_clear)`)
    .execute()
  const album = await db
    .selectFrom('albums')
    .select(['engine', 'faces_ended_at'])
    .where('id', '=', albumId)
    .executeTakeFirst()
  if (album && !album.engine && !album.faces_ended_at)
    throw new AppError('SERVICE_UNAVAILABLE', 'Faces of this album are still being removed')
  return album?.engine ?? undefined
}
