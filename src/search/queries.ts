import { type ExpressionBuilder, type InferResult, sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { Database, SubmissionTable } from '../database/schema.ts'
import { isOpenNow, secondsAgo } from '../database/times.ts'
import type { FoundPerson } from '../faces/face-index.ts'
import { SHOWN } from '../photos/queries.ts'

export type SubmissionOutcome = NonNullable<SubmissionTable['outcome']>

/** For how long its results can be read. */
export const SUBMISSION_SECONDS = 60 * 60

export async function areAnyForChildren(db: Db, albumIds: string[]): Promise<boolean> {
  const one = await db
    .selectFrom('albums')
    .select('id')
    .where('id', '=', sql<string>`any(${albumIds}::uuid[])`)
    .where(sql`settings ->> 'forChildren'`, '=', 'on')
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
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

/** The albums that are still to be searched for a submission; none when it has an outcome, or is gone, or a guest's albums are
 *  not open. */
export async function albumsStillToSearch(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('submissions')
    .innerJoin('submission_albums as searched', 'searched.submission_id', 'submissions.id')
    .innerJoin('albums', 'albums.id', 'searched.album_id')
    .select('searched.album_id')
    .where('submissions.id', '=', id)
    .where('albums.faces_ended_at', 'is', null)
    .where((one) => one.or([one('searched.owner_key_version', 'is not', null), isOpenNow]))
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

/** @param withSelfie only those whose selfie may still be stored */
export async function submissionsOlderThan(
  db: Db,
  seconds: number,
  { withSelfie = false } = {},
): Promise<string[]> {
  const rows = await db
    .selectFrom('submissions')
    .select('id')
    .where('created_at', '<', secondsAgo(seconds))
    .$if(withSelfie, (query) => query.where('selfie_deleted_at', 'is', null))
    .execute()
  return rows.map((row) => row.id)
}

/** Deletes a submission with its matches.
 *  @returns false when it was gone before. */
export async function deleteSubmission(db: Db, id: string): Promise<boolean> {
  const deleted = await db.deleteFrom('submissions').where('id', '=', id).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** The albums of a submission whose results may still be shown. What a former password or a former owner key led to is
 *  left out. */
function searchedAlbums(eb: ExpressionBuilder<Database, 'submissions'>) {
  return eb
    .selectFrom('submission_albums as searched')
    .innerJoin('albums', 'albums.id', 'searched.album_id')
    .select(['searched.album_id', 'searched.owner_key_version', 'albums.password_version'])
    .whereRef('searched.submission_id', '=', 'submissions.id')
    .where((one) => one.or([one('searched.owner_key_version', 'is not', null), isOpenNow]))
    .where(
      sql<boolean>`coalesce(searched.password_version, albums.password_version) = albums.password_version`,
    )
    .where(
      sql<boolean>`coalesce(searched.owner_key_version, albums.owner_key_version) = albums.owner_key_version`,
    )
}

/** The matches of a submission that may still be shown, best first: in the order of the index submission_matches_best. */
function validMatches(eb: ExpressionBuilder<Database, 'submissions'>) {
  return eb
    .selectFrom('submission_matches as matches')
    .innerJoin('photos', 'photos.id', 'matches.photo_id')
    .innerJoin(searchedAlbums(eb).as('searched'), 'searched.album_id', 'photos.album_id')
    .select(['photos.id', ...SHOWN, 'searched.password_version', 'searched.owner_key_version'])
    .select('matches.similarity')
    .whereRef('matches.submission_id', '=', 'submissions.id')
    .orderBy('matches.similarity', 'desc')
    .orderBy('matches.photo_id')
}

/** A place in the matches of a submission: that of this photo with this similarity. */
export type MatchPlace = { similarity: number; id: string }

const isAfter = ({ similarity, id }: MatchPlace) =>
  sql<boolean>`(matches.similarity < ${similarity} or (matches.similarity = ${similarity} and photos.id > ${id}))`

/** The matches of a submission. `total` counts all matches, also those that are left out.
 *  @param page up to `limit` that come after a place; without them, all
 *  @returns undefined when there is no such submission any more */
export async function findResults(
  db: Db,
  id: string,
  { after, limit }: { after?: MatchPlace | undefined; limit?: number | undefined },
) {
  const rows = await db
    .selectFrom('submissions')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom(searchedAlbums(eb).select('searched.matches').as('searched'))
          .select((one) => one.fn.sum<string>('searched.matches').as('total'))
          .as('counted'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        validMatches(eb)
          .$if(after !== undefined, (query) => query.where(isAfter(after!)))
          .$if(limit !== undefined, (query) => query.limit(limit!))
          .as('found'),
      (join) => join.onTrue(),
    )
    .select('counted.total')
    .selectAll('found')
    .where('submissions.id', '=', id)
    .where('submissions.created_at', '>', secondsAgo(SUBMISSION_SECONDS))
    .orderBy('found.similarity', 'desc')
    .orderBy('found.id')
    .execute()
  const [first] = rows
  if (!first) return undefined
  // A submission without matches has one row.
  const matches = rows.filter((row): row is typeof row & Match => row.id !== null)
  return { total: Number(first.total ?? 0), matches }
}

type Match = InferResult<ReturnType<typeof validMatches>>[number]

/** The faces that the visitor of a submission is asked about, best match first, each with its photo. Those that have opted
 *  out, or whose photo is not shown, are left out. */
export function findPossible(db: Db, id: string) {
  return db
    .selectFrom('submissions')
    .innerJoinLateral(
      (eb) => searchedAlbums(eb).as('searched'),
      (join) => join.onTrue(),
    )
    .innerJoin('submission_possible_faces as asked', 'asked.submission_id', 'submissions.id')
    .innerJoin('faces', (join) =>
      join.onRef('faces.id', '=', 'asked.face_id').onRef('faces.album_id', '=', 'searched.album_id'),
    )
    .innerJoin('photos', 'photos.id', 'faces.photo_id')
    .select(['photos.id', ...SHOWN, 'searched.password_version', 'searched.owner_key_version'])
    .select(['faces.id as face_id', 'box_left', 'box_top', 'box_width', 'box_height'])
    .where('submissions.id', '=', id)
    .where('faces.opt_out_id', 'is', null)
    .where('photos.state', '=', 'indexed')
    .orderBy('asked.similarity', 'desc')
    .orderBy('faces.id')
    .execute()
}

/** The albums that a submission was searched in, with the version of the owner's grant. */
export function albumsOfSubmission(db: Db, id: string) {
  return db
    .selectFrom('submission_albums as searched')
    .innerJoin('albums', 'albums.id', 'searched.album_id')
    .select(['searched.owner_key_version', 'albums.settings'])
    .where('searched.submission_id', '=', id)
    .execute()
}
