import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Album, Database } from '../database/schema.ts'
import { countHiddenPhotos } from './hidden-queries.ts'

/** Conditions that few photos of an album meet. Each is written exactly as in the index of the same name. Otherwise
 *  Postgres reads all photos of the album. */
const PHOTOS = {
  without_face: sql<boolean>`state = 'indexed' and face_count = 0`,
  with_unindexed_faces: sql<boolean>`unindexed_faces is not null and face_count > 0`,
  given_up: sql<boolean>`state = 'given_up'`,
}

export function countPhotosWithoutFace(db: Db, albumId: string): Promise<number> {
  return countPhotos(db, albumId, PHOTOS.without_face)
}

export function countGivenUp(db: Db, albumId: string): Promise<number> {
  return countPhotos(db, albumId, PHOTOS.given_up)
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

/** The number of those that a selfie finds: the others wait to be indexed again. */
export async function countSearchable(db: Db, album: Counted): Promise<number> {
  if (album.photos_settled === album.photos_stored) return await countIndexed(db, album)
  return await countPhotos(db, album.id, sql<boolean>`state = 'indexed' and engine is not null`)
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
 *  @param inRounds without it, all refused files; with it, those of these upload rounds */
export function skippedFiles(
  db: Db,
  albumId: string,
  { limit, inRounds }: { limit?: number; inRounds?: (where: RoundWhere) => Expression<SqlBool> } = {},
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
    .where(PHOTOS.given_up)
  return db
    .selectFrom(refused.unionAll(givenUp).as('skipped'))
    .select(['filename', 'reason', sql<number>`(count(*) over ())::int`.as('total')])
    .orderBy('created_at', 'desc')
    .orderBy('filename')
    .orderBy('reason')
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .execute()
}

type RoundWhere = ExpressionBuilder<Database, 'upload_rounds'>

/** The boxes stay in the database, because a photo of a crowd may have a thousand of them. */
const unindexedCount = sql<number>`coalesce(jsonb_array_length(unindexed_faces), 0)`.as('unindexed_count')
const unindexedReasons = sql<string[]>`array(
  select distinct jsonb_array_elements_text(face -> 'reasons') as reason
  from jsonb_array_elements(unindexed_faces) as face
  order by reason
)`.as('unindexed_reasons')

/** Photos of which faces were detected but not indexed, each with their number, and why: those without a searchable face, or those
 *  that have others. */
export function photosLeftOut(
  db: Db,
  albumId: string,
  which: 'without_face' | 'with_unindexed_faces',
  limit: number,
) {
  return db
    .selectFrom('photos')
    .select(['filename', unindexedCount, unindexedReasons])
    .where('album_id', '=', albumId)
    .where(PHOTOS[which])
    .orderBy('listed_at')
    .orderBy('listed_name')
    .orderBy('id')
    .limit(limit)
    .execute()
}
