import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '../../database/client.ts'
import { rowsInStatements } from '../../database/rows-in-statements.ts'
import type { FaceDescriptorTable } from '../../database/schema.ts'
import type { MeasuredStrangers } from './stranger-distances.ts'

/** How long removals are kept. A process drops an album that was not searched for an hour (see album-cache.ts), so it
 *  needs no older ones. */
const REMOVALS_KEPT = '1 day'

const nextRevision = sql<string>`nextval('face_revisions')`

export interface RevisionRange {
  after: number
  upTo: number
}

/** Creates a collection. Does nothing when it exists. */
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
    .select('album_id')
    .where('album_id', '=', sql<string>`any(${albumIds}::uuid[])`)
    .execute()
}

/** The state of collections: see CollectionState. */
export function readStates(db: Db, albumIds: string[]) {
  return db
    .selectFrom('face_collections')
    .leftJoin('albums', 'albums.id', 'face_collections.album_id')
    .leftJoin('stranger_distances as strangers', 'strangers.album_id', 'face_collections.album_id')
    .select(['face_collections.album_id', 'revision', 'removed_revision', 'albums.faces_found'])
    .select(['strangers.faces', 'strangers.couples', 'strangers.median', 'strangers.deviation'])
    .where('face_collections.album_id', '=', sql<string>`any(${albumIds}::uuid[])`)
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

/** Gives a locked collection a new revision, and returns it. Without removed faces the removal stays the former one. */
export async function setRevision(trx: Trx, albumId: string, removedFaces: string[]): Promise<string> {
  const { revision, former } = await trx
    .with('fresh', (cte) =>
      cte
        .selectFrom('face_collections')
        .select([nextRevision.as('revision'), 'removed_revision as former'])
        .where('album_id', '=', albumId),
    )
    .updateTable('face_collections')
    .from('fresh')
    .set((eb) => ({
      revision: eb.ref('fresh.revision'),
      removed_revision: eb.ref(
        removedFaces.length > 0 ? 'fresh.revision' : 'face_collections.removed_revision',
      ),
    }))
    .where('album_id', '=', albumId)
    .returning(['fresh.revision', 'fresh.former'])
    .executeTakeFirstOrThrow()
  if (removedFaces.length > 0) await logRemoval(trx, { albumId, revision, former, removedFaces })
  return revision
}

async function logRemoval(
  trx: Trx,
  removal: { albumId: string; revision: string; former: string; removedFaces: string[] },
): Promise<void> {
  const { albumId, revision, former, removedFaces } = removal
  await trx
    .insertInto('face_removals')
    .values({ album_id: albumId, revision, former_revision: former, face_ids: removedFaces })
    .execute()
  // Two at a time, so that the log never grows for long, and each removal costs the same.
  await trx
    .deleteFrom('face_removals')
    .where('album_id', '=', albumId)
    .where('revision', 'in', (eb) =>
      eb
        .selectFrom('face_removals')
        .select('revision')
        .where('album_id', '=', albumId)
        .orderBy('revision')
        .limit(2),
    )
    .where('removed_at', '<', sql<Date>`now() - ${REMOVALS_KEPT}::interval`)
    .execute()
}

/** The removals after the revision `after` and up to `upTo`, the first one first. */
export function removalsBetween(db: Db, albumId: string, { after, upTo }: RevisionRange) {
  return db
    .selectFrom('face_removals')
    .select(['revision', 'former_revision', 'face_ids'])
    .where('album_id', '=', albumId)
    .where('revision', '>', String(after))
    .where('revision', '<=', String(upTo))
    .orderBy('revision')
    .execute()
}

export function descriptorsOfPhoto(trx: Trx, photoId: string) {
  return trx
    .selectFrom('face_descriptors')
    .select(['face_id', 'descriptor'])
    .where('photo_id', '=', photoId)
    .execute()
}

export async function insertDescriptors(trx: Trx, rows: Insertable<FaceDescriptorTable>[]): Promise<void> {
  for (const some of rowsInStatements(rows)) await trx.insertInto('face_descriptors').values(some).execute()
}

/** @returns the ids of the deleted faces. */
export async function deleteDescriptors(trx: Trx, albumId: string, photoIds: string[]): Promise<string[]> {
  const rows = await trx
    .deleteFrom('face_descriptors')
    .where('album_id', '=', albumId)
    .where('photo_id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .returning('face_id')
    .execute()
  return rows.map((row) => row.face_id)
}

/** @returns the ids of the deleted faces. */
export async function deleteDescriptorsOfFaces(
  trx: Trx,
  albumId: string,
  faceIds: string[],
): Promise<string[]> {
  const rows = await trx
    .deleteFrom('face_descriptors')
    .where('face_id', '=', sql<string>`any(${faceIds}::uuid[])`)
    .where('album_id', '=', albumId)
    .returning('face_id')
    .execute()
  return rows.map((row) => row.face_id)
}

export async function countDescriptors(db: Db, albumId: string): Promise<number> {
  const row = await db
    .selectFrom('face_descriptors')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('album_id', '=', albumId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The ids and descriptors of the faces saved after the revision `after` and up to `upTo`, for a COPY. In the order of
 *  the index, which `copyOut` makes Postgres follow. Left to itself, it takes the revisions of this album for a large
 *  part of all revisions, reads the rows of all albums and sorts them on disk. */
export function descriptorsBetween(db: Db, albumId: string, { after, upTo }: RevisionRange) {
  return db
    .selectFrom('face_descriptors')
    .select(['face_id', 'descriptor'])
    .where('album_id', '=', sql.lit(albumId))
    .where('revision', '>', sql.lit(String(after)))
    .where('revision', '<=', sql.lit(String(upTo)))
    .orderBy('album_id')
    .orderBy('revision')
}

/** Nothing is stored for a collection that has been deleted. */
export async function upsertStrangers(
  db: Db,
  albumId: string,
  { faces, couples, median, deviation }: MeasuredStrangers,
): Promise<void> {
  await sql`
    insert into stranger_distances (album_id, faces, couples, median, deviation)
    select album_id, ${faces}, ${couples}, ${median}, ${deviation}
    from face_collections where album_id = ${albumId} for key share
    on conflict (album_id) do update set
      faces = excluded.faces, couples = excluded.couples,
      median = excluded.median, deviation = excluded.deviation`.execute(db)
}
