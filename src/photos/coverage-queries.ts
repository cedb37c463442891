import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { PhotoKind } from '../contract/photo-kinds.ts'
import type { Db } from '../database/client.ts'
import type { Album, Database } from '../database/schema.ts'
import { countHiddenPhotos } from './hidden-queries.ts'

/** What an album's photos are to its owner: each is of one kind. Written as in the indexes: otherwise Postgres reads all photos
 *  of the album. */
export const KINDS = {
  searchable: sql<boolean>`state = 'indexed' and engine is not null and face_count > 0`,
  nobody: sql<boolean>`state = 'indexed' and engine is not null and face_count = 0 and unindexed_faces is null`,
  unclear: sql<boolean>`state = 'indexed' and engine is not null and face_count = 0 and unindexed_faces is not null`,
  hidden: sql<boolean>`state = 'hidden'`,
  given_up: sql<boolean>`state = 'given_up'`,
  waiting: sql<boolean>`engine is null and state <> 'hidden'`,
} satisfies Record<PhotoKind, Expression<boolean>>

/** Searchable photos of which some faces are too small or unclear. */
export const PARTLY_SEARCHABLE = sql<boolean>`state = 'indexed' and engine is not null and face_count > 0 and unindexed_faces is not null`

/** Photos that no selfie finds, because they show nobody, or nobody clearly. */
export async function countPhotosWithoutFace(db: Db, albumId: string): Promise<number> {
  const counts = await Promise.all(
    [KINDS.nobody, KINDS.unclear].map((which) => countPhotos(db, albumId, which)),
  )
  return counts.reduce((sum, count) => sum + count)
}

export function countGivenUp(db: Db, albumId: string): Promise<number> {
  return countPhotos(db, albumId, KINDS.given_up)
}

export interface PhotoCounts extends Record<PhotoKind, number> {
  stored: number
  /** Of the searchable ones. */
  partly: number
  faces: number
}

/** How many photos of each kind an album has, at one moment, so that they add up. While photos wait, `waiting` and `searchable`
 *  follow from the album's counters.
 *  @returns undefined when the album was erased */
export async function countKinds(db: Db, albumId: string): Promise<PhotoCounts | undefined> {
  const count = (which: Expression<boolean>) =>
    sql<number>`(select count(*)::int from photos where album_id = albums.id and ${which})`
  const counted = await db
    .selectFrom('albums')
    .select(['photos_stored', 'photos_settled', 'faces_found as faces'])
    .select([
      count(KINDS.nobody).as('nobody'),
      count(KINDS.unclear).as('unclear'),
      count(KINDS.hidden).as('hidden'),
      count(sql<boolean>`state = 'hidden' and engine is null`).as('hidden_waiting'),
      count(KINDS.given_up).as('given_up'),
      count(PARTLY_SEARCHABLE).as('partly'),
    ])
    .where('id', '=', albumId)
    .executeTakeFirst()
  if (!counted) return undefined
  const { photos_stored: stored, photos_settled: settled, hidden_waiting, ...counts } = counted
  const { nobody, unclear, hidden, given_up } = counts
  const waiting = stored - settled - hidden_waiting
  return { ...counts, stored, waiting, searchable: stored - waiting - hidden - given_up - nobody - unclear }
}

type Counted = Pick<Album, 'id' | 'photos_stored' | 'photos_settled'>

/** The number of photos of an album that are shown. While none waits it follows from the album's counters, so that only the few
 *  other photos are read. */
export async function countIndexed(db: Db, album: Counted): Promise<number> {
  if (album.photos_settled < album.photos_stored)
    return await countPhotos(db, album.id, sql<boolean>`state = 'indexed'`)
  const [givenUp, hidden] = await Promise.all([countGivenUp(db, album.id), countHiddenPhotos(db, album.id)])
  return album.photos_settled - givenUp - hidden
}

async function countPhotos(db: Db, albumId: string, which: Expression<boolean>): Promise<number> {
  const row = await db
    .selectFrom('photos')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('album_id', '=', albumId)
    .where(which)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Files that are missing from an album or not searchable, each once, with the reason, the newest first: photos that were given
 *  up and files that were refused. Each row also has the number of all.
 *  @param inRounds without it, all refused files; with it, those of these upload rounds
 *  @param onlyRefused without the photos that were given up, which the album has */
export function skippedFiles(
  db: Db,
  albumId: string,
  {
    limit,
    inRounds,
    onlyRefused = false,
  }: { limit?: number; inRounds?: (where: RoundWhere) => Expression<SqlBool>; onlyRefused?: boolean } = {},
) {
  const refused = db
    .selectFrom('refused_files')
    .select(['filename', 'reason', (eb) => eb.fn.max('created_at').as('created_at')])
    .where('album_id', '=', albumId)
    .$if(inRounds !== undefined, (query) =>
      query.where('round_id', 'in', (rounds) =>
        rounds.selectFrom('upload_rounds').select('upload_rounds.id').where(inRounds!),
      ),
    )
    .groupBy(['filename', 'reason'])
  const givenUp = db
    .selectFrom('photos')
    .select(['filename', sql<string>`coalesce(given_up_reason, '')`.as('reason'), 'created_at'])
    .where('album_id', '=', albumId)
    .where(KINDS.given_up)
  return db
    .selectFrom((onlyRefused ? refused : refused.unionAll(givenUp)).as('skipped'))
    .select(['filename', 'reason', sql<number>`(count(*) over ())::int`.as('total')])
    .orderBy('created_at', 'desc')
    .orderBy('filename')
    .orderBy('reason')
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .execute()
}

type RoundWhere = ExpressionBuilder<Database, 'upload_rounds'>
