import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import { microsecondsOf, timeAt } from '../database/times.ts'

/** A place in the list: that of the album with this id and this time of creation, in microseconds since 1970. */
export interface ListPlace {
  microseconds: string
  id: string
}

/** The query for albums with photos whose owners have not taken them off the list, the newest first.
 *  @param after gives the albums after this place; without it, the newest */
export function listedAlbums(db: Db, { after, limit }: { after?: ListPlace | undefined; limit: number }) {
  return (
    db
      .selectFrom('albums')
      .select(['id', 'slug', 'display_name', 'created_at'])
      .select(microsecondsOf('created_at').as('microseconds'))
      // The same condition as in the index albums_listed.
      .where(sql<boolean>`is_listed and photos_stored > 0`)
      .$if(after !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'id'), '<', tuple(timeAt(after!.microseconds), after!.id)),
        ),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
  )
}

export async function setListed(db: Db | Trx, albumId: string, isListed: boolean): Promise<void> {
  await db.updateTable('albums').set({ is_listed: isListed }).where('id', '=', albumId).execute()
}
