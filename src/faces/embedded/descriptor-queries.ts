import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '../../database/client.ts'
import { rowsInStatements } from '../../database/rows-in-statements.ts'
import type { FaceDescriptorTable } from '../../database/schema.ts'

const CHUNK_ROWS = 5_000

const nextRevision = sql<string>`nextval('face_revisions')`

export async function insertCollection(db: Db, albumId: string): Promise<void> {
  // A creation counts as a removal: a process that knew the album's former collection reads all of this one.
  await sql`
    with fresh as (select nextval('face_revisions') as revision)
    insert into face_collections (album_id, revision, removed_revision)
    select ${albumId}, revision, revision from fresh
    on conflict (album_id) do nothing`.execute(db)
}

/** Nothing can be saved in a collection whose row is deleted. */
export async function deleteCollection(db: Db, albumId: string): Promise<void> {
  await db.deleteFrom('face_collections').where('album_id', '=', albumId).execute()
  await db.deleteFrom('face_descriptors').where('album_id', '=', albumId).execute()
}

export function readCollections(db: Db, albumIds: string[]) {
  return db
    .selectFrom('face_collections')
    .select(['album_id', 'revision', 'removed_revision'])
    .where('album_id', '=', sql<string>`any(${albumIds}::uuid[])`)
    .execute()
}

/** @returns whether the collection exists. */
export async function lockCollection(trx: Trx, albumId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('face_collections')
    .select('album_id')
    .where('album_id', '=', albumId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Gives a locked collection a new revision, and returns it. */
export async function setRevision(
  trx: Trx,
  albumId: string,
  { removal }: { removal: boolean },
): Promise<string> {
  const row = await trx
    .with('fresh', (cte) => cte.selectNoFrom(nextRevision.as('revision')))
    .updateTable('face_collections')
    .from('fresh')
    .set((eb) => ({
      revision: eb.ref('fresh.revision'),
      removed_revision: eb.ref(removal ? 'fresh.revision' : 'face_collections.removed_revision'),
    }))
    .where('album_id', '=', albumId)
    .returning('face_collections.revision')
    .executeTakeFirstOrThrow()
  return row.revision
}

export function descriptorsOfPhotos(trx: Trx, photoIds: string[]) {
  return trx
    .selectFrom('face_descriptors')
    .select(['photo_id', 'face_id', 'descriptor'])
    .where('photo_id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .execute()
}

export async function insertDescriptors(trx: Trx, rows: Insertable<FaceDescriptorTable>[]): Promise<void> {
  for (const some of rowsInStatements(rows)) await trx.insertInto('face_descriptors').values(some).execute()
}

/** @returns how many were deleted. */
export async function deleteDescriptors(trx: Trx, albumId: string, photoIds: string[]): Promise<number> {
  const result = await trx
    .deleteFrom('face_descriptors')
    .where('album_id', '=', albumId)
    .where('photo_id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

export async function countDescriptors(db: Db, albumId: string): Promise<number> {
  const row = await db
    .selectFrom('face_descriptors')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('album_id', '=', albumId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** In pages; each page begins after the last row of the one before. */
export async function* descriptorsBetween(db: Db, albumId: string, after: number, upTo: number) {
  let last: { revision: string; face_id: string } | undefined
  while (true) {
    const rows = await db
      .selectFrom('face_descriptors')
      .select(['face_id', 'photo_id', 'revision', 'descriptor'])
      .where('album_id', '=', albumId)
      .where('revision', '>', String(after))
      .where('revision', '<=', String(upTo))
      .$if(last !== undefined, (query) =>
        query.where(sql<boolean>`(revision, face_id) > (${last!.revision}::bigint, ${last!.face_id}::uuid)`),
      )
      .orderBy('revision')
      .orderBy('face_id')
      .limit(CHUNK_ROWS)
      .execute()
    if (rows.length > 0) yield rows
    if (rows.length < CHUNK_ROWS) return
    last = rows.at(-1)
  }
}
