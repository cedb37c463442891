import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { compileOnce } from '../database/compile-once.ts'
import { shareReads } from '../database/shared-reads.ts'
import { secondsSince } from '../database/times.ts'
import { isSlug } from './slug.ts'

// What pages ask for every few seconds. Equal reads that begin together share a query.

const statusBySlug = compileOnce((db, slug: string) =>
  db
    .selectFrom('albums')
    .select(['id', 'display_name', 'password_version', 'owner_key_version'])
    .where('slug', '=', slug),
)

/** What visitors may know of an album, and what their grants are compared with. */
export const findAlbumStatus = shareReads(
  async (db: Db, slug: string) => (isSlug(slug) ? (await statusBySlug(db, slug))[0] : undefined),
  (slug) => slug,
)

const albumWithProgress = (db: Db) =>
  db
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
      'albums.recently_settled',
      'albums.recent_seconds',
      secondsSince<number | null>(sql.ref('albums.last_settled_at')).as('seconds_since_settled'),
      'open.id as open_round_id',
      'open.total as open_round_total',
    ])

const progressById = compileOnce((db, id: string) => albumWithProgress(db).where('albums.id', '=', id))
const progressByOwnerKey = compileOnce((db, hash: Buffer) =>
  albumWithProgress(db).where('albums.owner_key_hash', '=', hash),
)

export type ProgressKey = { id: string } | { ownerKeyHash: Buffer }

/** An album as the progress calls read it, with the total of its open round, if any. */
export const findAlbumWithProgress = shareReads(
  async (db: Db, key: ProgressKey) => {
    const found = 'id' in key ? progressById(db, key.id) : progressByOwnerKey(db, key.ownerKeyHash)
    return (await found)[0]
  },
  (key) => ('id' in key ? key.id : `key ${key.ownerKeyHash.toString('base64')}`),
)

export type AlbumWithProgress = NonNullable<Awaited<ReturnType<typeof findAlbumWithProgress>>>
