import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import { rowsInStatements } from '../database/rows-in-statements.ts'
import type { TakenOutFaceTable } from '../database/schema.ts'
import { shareReads } from '../database/shared-reads.ts'
import type { BoxColumns } from './face-box.ts'

/** The people whose faces are not indexed in an album. Photos of one album that are indexed together share the query. */
export const peopleTakenOut = shareReads(
  (db: Db, albumId: string) =>
    db
      .selectFrom('people_taken_out')
      .select(['id', 'person_cipher'])
      .where('album_id', '=', albumId)
      .execute(),
  (albumId) => albumId,
)

export async function countPeopleTakenOut(trx: Trx, albumId: string): Promise<number> {
  const row = await trx
    .selectFrom('people_taken_out')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('album_id', '=', albumId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function insertPersonTakenOut(
  trx: Trx,
  person: { id: string; album_id: string; person_cipher: Buffer },
): Promise<void> {
  await trx.insertInto('people_taken_out').values(person).execute()
}

/** The faces of these photos that were taken out. */
export function facesTakenOut(db: Db | Trx, photoIds: string[]): Promise<Selectable<TakenOutFaceTable>[]> {
  return db
    .selectFrom('taken_out_faces')
    .selectAll()
    .where('photo_id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .execute()
}

export async function insertFacesTakenOut(trx: Trx, rows: Insertable<TakenOutFaceTable>[]): Promise<void> {
  for (const some of rowsInStatements(rows)) await trx.insertInto('taken_out_faces').values(some).execute()
}

export async function countFacesTakenOut(db: Db, albumId: string): Promise<number> {
  const row = await db
    .selectFrom('taken_out_faces')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('album_id', '=', albumId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Which of these faces have a row. */
export async function facesWithRow(db: Db, faceIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('faces')
    .select('id')
    .where('id', '=', sql<string>`any(${faceIds}::uuid[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Deletes faces of an album, and counts them no longer as faces of their photos.
 *  @returns those that were deleted now */
export async function deleteFaces(
  trx: Trx,
  albumId: string,
  faceIds: string[],
): Promise<(BoxColumns & { photo_id: string })[]> {
  const deleted = await trx
    .deleteFrom('faces')
    .where('id', '=', sql<string>`any(${faceIds}::uuid[])`)
    .where('album_id', '=', albumId)
    .returning(['photo_id', 'box_left', 'box_top', 'box_width', 'box_height'])
    .execute()
  const photos = deleted.map(({ photo_id }) => photo_id)
  await sql`
    update photos set face_count = face_count - gone.faces
    from (
      select id, count(*)::integer as faces from unnest(${photos}::uuid[]) as photo (id) group by id
    ) as gone
    where photos.id = gone.id`.execute(trx)
  return deleted
}

/** Hides these photos of an album if they are indexed, also from the results of submissions.
 *  @returns how many were hidden now */
export async function hidePhotos(trx: Trx, albumId: string, photoIds: string[]): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('photos')
    .set({ state: 'hidden' })
    .where('id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .where('album_id', '=', albumId)
    .where('state', '=', 'indexed')
    .executeTakeFirst()
  await sql`
    with gone as (
      delete from submission_matches where photo_id = any(${photoIds}::uuid[]) returning submission_id
    ), counted as (
      select submission_id, count(*)::integer as matches from gone group by submission_id
    )
    update submission_albums as searched set matches = searched.matches - counted.matches
    from counted
    where searched.submission_id = counted.submission_id and searched.album_id = ${albumId}`.execute(trx)
  return Number(numUpdatedRows)
}

/** Shows hidden photos again.
 *  @param photoIds without them, all hidden photos of the album
 *  @returns how many are shown again */
export async function showPhotos(trx: Trx, albumId: string, photoIds?: string[]): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('photos')
    .set({ state: 'indexed' })
    .where('album_id', '=', albumId)
    .where(sql<boolean>`state = 'hidden'`)
    .$if(photoIds !== undefined, (query) => query.where('id', '=', sql<string>`any(${photoIds}::uuid[])`))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function countHiddenPhotos(db: Db, albumId: string): Promise<number> {
  const row = await db
    .selectFrom('photos')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('album_id', '=', albumId)
    .where(sql<boolean>`state = 'hidden'`)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
