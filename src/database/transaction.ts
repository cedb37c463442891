import { sql } from 'kysely'
import type { Db, Trx } from './client.ts'
import { databaseUnavailable } from './faults.ts'
import type { Album } from './schema.ts'

/** As long as a request waits for a connection. A change of an album takes milliseconds. */
const LOCK_WAIT_MS = 10_000
/** lock_not_available: the manual of Postgres, appendix A. */
const LOCK_TIMED_OUT = '55P03'

/** Runs a transaction that changes an album. The album's row is locked first, so exactly one transaction at a time changes its
 *  counters, photos and rounds, and only one sees the album become complete.
 *  @param change gets undefined in place of the album when it has been erased
 *  @throws AppError SERVICE_UNAVAILABLE when another transaction holds a lock too long. Then nothing is changed */
export async function withAlbum<T>(
  db: Db,
  albumId: string,
  change: (trx: Trx, album: Album | undefined) => Promise<T>,
  { waitMs = LOCK_WAIT_MS } = {},
): Promise<T> {
  try {
    return await db.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = ${sql.lit(waitMs)}`.execute(trx)
      // Rows that refer to the album may be inserted meanwhile: `for update` would keep them waiting, too.
      const album = await trx
        .selectFrom('albums')
        .selectAll()
        .where('id', '=', albumId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      return await change(trx, album)
    })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === LOCK_TIMED_OUT)
      throw databaseUnavailable(error)
    throw error
  }
}
