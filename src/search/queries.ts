import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { Album, SubmissionTable } from '../database/schema.ts'
import { secondsAgo } from '../database/times.ts'
import type { FoundPerson } from '../faces/face-index.ts'

export type SubmissionOutcome = NonNullable<SubmissionTable['outcome']>

export function findAlbums(db: Db, albumIds: string[]): Promise<Album[]> {
  return db.selectFrom('albums').selectAll().where('id', '=', sql<string>`any(${albumIds}::uuid[])`).execute()
}

export async function areAnyForChildren(db: Db, albumIds: string[]): Promise<boolean> {
  const one = await db
    .selectFrom('albums')
    .select('id')
    .where('id', '=', sql<string>`any(${albumIds}::uuid[])`)
    .where('for_children', '=', true)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}

/** Which of these faces are in the album. */
export function findFaceBoxes(db: Db, albumId: string, faceIds: string[]) {
  return db
    .selectFrom('faces')
    .select(['id', 'box_left', 'box_top', 'box_width', 'box_height'])
    .where('id', '=', sql<string>`any(${faceIds}::uuid[])`)
    .where('album_id', '=', albumId)
    .execute()
}

/** @param albums those to search, each with the version of its password for a guest, or of its key for the owner.
 *  @returns the new submission's id. */
export async function insertSubmission(
  trx: Trx,
  albums: { albumId: string; passwordVersion: number | null; ownerKeyVersion: number | null }[],
): Promise<string> {
  const { id } = await trx.insertInto('submissions').defaultValues().returning('id').executeTakeFirstOrThrow()
  await trx
    .insertInto('submission_albums')
    .values(
      albums.map(({ albumId, passwordVersion, ownerKeyVersion }) => ({
        submission_id: id,
        album_id: albumId,
        password_version: passwordVersion,
        owner_key_version: ownerKeyVersion,
      })),
    )
    .execute()
  return id
}

/** Locks a submission that still waits for its selfie.
 *  @returns false when the selfie must be deleted */
export async function lockWaitingSubmission(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('submissions')
    .select('id')
    .where('id', '=', id)
    .where('selfie_deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** @param maxAgeSeconds when given, only one that is not older. */
export function findSubmission(db: Db, id: string, maxAgeSeconds?: number) {
  return db
    .selectFrom('submissions')
    .select('outcome')
    .where('id', '=', id)
    .$if(maxAgeSeconds !== undefined, (query) => query.where('created_at', '>', secondsAgo(maxAgeSeconds!)))
    .executeTakeFirst()
}

/** The albums that are still to be searched for a submission; none when it has an outcome, or is gone. */
export async function albumsStillToSearch(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('submissions')
    .innerJoin('submission_albums as searched', 'searched.submission_id', 'submissions.id')
    .select('searched.album_id')
    .where('submissions.id', '=', id)
    .where('submissions.outcome', 'is', null)
    .execute()
  return rows.map((row) => row.album_id)
}

/** How many photos a selfie has found in each of its albums: null until it is matched. */
export async function matchesSoFar(db: Db, id: string): Promise<Map<string, number | null>> {
  const rows = await db
    .selectFrom('submission_albums')
    .select(['album_id', 'matches'])
    .where('submission_id', '=', id)
    .execute()
  return new Map(rows.map(({ album_id, matches }) => [album_id, matches]))
}

/** Records what a selfie has found. Nothing is recorded for a submission that has an outcome already, or has been
 *  deleted. */
export async function recordOutcome(
  trx: Trx,
  id: string,
  outcome: SubmissionOutcome,
  { sure, possible }: Pick<FoundPerson, 'sure' | 'possible'> = { sure: [], possible: [] },
): Promise<void> {
  const updated = await trx
    .updateTable('submissions')
    .set({ outcome })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  if (updated.numUpdatedRows === 0n) return
  // A face index may still know photos that have been erased meanwhile.
  await sql`
    with matched as (
      insert into submission_matches (submission_id, photo_id, similarity)
      select ${id}, photos.id, found.similarity
      from unnest(${sure.map(({ photoId }) => photoId)}::uuid[], ${sure.map(({ similarity }) => similarity)}::real[])
        as found (photo_id, similarity)
      join photos on photos.id = found.photo_id and photos.state = 'indexed'
      returning photo_id
    ), counted as (
      select album_id, count(*)::integer as matches
      from matched join photos on photos.id = matched.photo_id
      group by album_id
    )
    update submission_albums
    set matches = coalesce((select matches from counted where counted.album_id = submission_albums.album_id), 0)
    where submission_id = ${id}
  `.execute(trx)
  if (possible.length === 0) return
  await sql`
    insert into submission_possible_faces (submission_id, face_id, similarity)
    select ${id}, faces.id, found.similarity
    from unnest(${possible.map(({ faceId }) => faceId)}::uuid[], ${possible.map(({ similarity }) => similarity)}::real[])
      as found (face_id, similarity)
    join faces on faces.id = found.face_id`.execute(trx)
}

/** Records that a selfie's bytes are deleted. Without them no outcome is possible. */
export async function markSelfieDeleted(db: Db, id: string): Promise<void> {
  await db
    .updateTable('submissions')
    .set({
      selfie_deleted_at: sql<Date>`coalesce(selfie_deleted_at, now())`,
      outcome: sql<SubmissionOutcome>`coalesce(outcome, 'expired')`,
    })
    .where('id', '=', id)
    .execute()
}

/** Submissions older than this whose selfie may still be stored. */
export async function submissionsWithSelfie(db: Db, minAgeSeconds: number): Promise<string[]> {
  const rows = await db
    .selectFrom('submissions')
    .select('id')
    .where('selfie_deleted_at', 'is', null)
    .where('created_at', '<', secondsAgo(minAgeSeconds))
    .execute()
  return rows.map((row) => row.id)
}

export async function submissionsOlderThan(db: Db, seconds: number): Promise<string[]> {
  const rows = await db
    .selectFrom('submissions')
    .select('id')
    .where('created_at', '<', secondsAgo(seconds))
    .execute()
  return rows.map((row) => row.id)
}

/** Deletes a submission with its matches.
 *  @returns false when it was gone before. */
export async function deleteSubmission(db: Db, id: string): Promise<boolean> {
  const deleted = await db.deleteFrom('submissions').where('id', '=', id).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}
