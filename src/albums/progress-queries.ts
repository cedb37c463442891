import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { secondsSince } from '../database/times.ts'
import { isSlug } from './slug.ts'

// What pages ask for every few seconds.

/** What visitors may know of an album, and what their grants are compared with. */
export async function findAlbumStatus(db: Db, slug: string) {
  if (!isSlug(slug)) return undefined
  return await db
    .selectFrom('albums')
    .select(['id', 'display_name', 'password_version', 'owner_key_version'])
    .where('slug', '=', slug)
    .executeTakeFirst()
}

export type ProgressKey = { id: string } | { ownerKeyHash: Buffer }

/** An album as the progress calls read it, with the total of its open round, if any. */
export function findAlbumWithProgress(db: Db, key: ProgressKey) {
  return db
    .selectFrom('albums')
    .leftJoin('upload_rounds as open', (join) =>
      join.onRef('open.album_id', '=', 'albums.id').on('open.closed_at', 'is', null),
    )
    .select([
      'albums.id',
      'albums.password_version',
      'albums.owner_key_version',
      'albums.photos_stored',
      'albums.photos_settled',
      'albums.completed_at',
      'albums.engine',
      'albums.recently_settled',
      'albums.recent_seconds',
      secondsSince<number | null>(sql.ref('albums.last_settled_at')).as('seconds_since_settled'),
      // Photos wait that were indexed before, in another engine.
      sql<boolean>`photos_settled < photos_stored and exists (
        select from photos where photos.album_id = albums.id and photos.engine is null and state <> 'stored'
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
