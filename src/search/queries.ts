import { type ExpressionBuilder, type InferResult, sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import { compileOnce } from '../database/compile-once.ts'
import type { Album, Database, SubmissionAlbumTable, SubmissionTable } from '../database/schema.ts'
import { secondsAgo } from '../database/times.ts'
import { announce } from '../queues/notification-queries.ts'

export type SubmissionOutcome = NonNullable<SubmissionTable['outcome']>

export function findAlbums(db: Db, albumIds: string[]): Promise<Album[]> {
  return db.selectFrom('albums').selectAll().where('id', '=', sql<string>`any(${albumIds}::uuid[])`).execute()
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

/** The key under which a submission's outcome is announced. */
export const outcomeKey = (submissionId: string) => `submission ${submissionId}`

const announceOutcome = (db: Db, id: string) => announce(db, outcomeKey(id))

/** Records what a selfie has matched: photo ids with the similarity. Nothing is recorded for a submission that
 *  has an outcome already, or has been deleted. */
export async function recordOutcome(
  trx: Trx,
  id: string,
  outcome: SubmissionOutcome,
  similarities: Map<string, number> = new Map(),
): Promise<void> {
  const updated = await trx
    .updateTable('submissions')
    .set({ outcome })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  if (updated.numUpdatedRows === 0n) return
  await announceOutcome(trx, id)
  // A face index may still know photos that have been erased meanwhile.
  await sql`
    with matched as (
      insert into submission_matches (submission_id, photo_id, similarity)
      select ${id}, photos.id, found.similarity
      from unnest(${[...similarities.keys()]}::uuid[], ${[...similarities.values()]}::real[])
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
  await announceOutcome(db, id)
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

/** The albums of a submission whose results may still be shown. What a former password or a former owner key led to is
 *  left out. */
function searchedAlbums(eb: ExpressionBuilder<Database, 'submissions'>) {
  return eb
    .selectFrom('submission_albums as searched')
    .innerJoin('albums', 'albums.id', 'searched.album_id')
    .select(['searched.album_id', 'albums.password_version'])
    .whereRef('searched.submission_id', '=', 'submissions.id')
    .where((one) =>
      one.or([
        one('searched.password_version', 'is', null),
        one('searched.password_version', '=', one.ref('albums.password_version')),
      ]),
    )
    .where((one) =>
      one.or([
        one('searched.owner_key_version', 'is', null),
        one('searched.owner_key_version', '=', one.ref('albums.owner_key_version')),
      ]),
    )
}

/** For a submission that an older version of Inframe has matched. */
function countMatches(eb: ExpressionBuilder<Database & { searched: SubmissionAlbumTable }, 'searched'>) {
  return eb
    .selectFrom('submission_matches')
    .innerJoin('photos', 'photos.id', 'submission_matches.photo_id')
    .select((one) => one.fn.countAll<number>().as('count'))
    .whereRef('submission_matches.submission_id', '=', 'searched.submission_id')
    .whereRef('photos.album_id', '=', 'searched.album_id')
}

/** The matches of a submission that may still be shown, best first: in the order of the index submission_matches_best. */
function validMatches(eb: ExpressionBuilder<Database, 'submissions'>) {
  return eb
    .selectFrom('submission_matches as matches')
    .innerJoin('photos', 'photos.id', 'matches.photo_id')
    .innerJoin(searchedAlbums(eb).as('searched'), 'searched.album_id', 'photos.album_id')
    .select([
      'photos.id',
      'photos.filename',
      'photos.media_type',
      'searched.password_version',
      'matches.similarity',
    ])
    .whereRef('matches.submission_id', '=', 'submissions.id')
    .orderBy('matches.similarity', 'desc')
    .orderBy('matches.photo_id')
}

/** Makes the query for a submission that is not older than this, with its best matches. It is one query, since results
 *  are polled. `total` counts all matches, also beyond the limit.
 *  @returns undefined when there is none. */
export function resultsFinder({ maxAgeSeconds, limit }: { maxAgeSeconds: number; limit: number }) {
  const rowsOf = compileOnce((db, id: string) =>
    db
      .selectFrom('submissions')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom(
              searchedAlbums(eb)
                .select((one) => one.fn.coalesce('searched.matches', countMatches(one)).as('matches'))
                .as('searched'),
            )
            .select((one) => one.fn.sum<string>('searched.matches').as('total'))
            .as('counted'),
        (join) => join.onTrue(),
      )
      .leftJoinLateral(
        (eb) => validMatches(eb).limit(limit).as('found'),
        (join) => join.onTrue(),
      )
      .select(['submissions.outcome', 'counted.total'])
      .selectAll('found')
      .where('submissions.id', '=', id)
      .where('submissions.created_at', '>', secondsAgo(maxAgeSeconds))
      .orderBy('found.similarity', 'desc')
      .orderBy('found.id'),
  )
  return async (db: Db, id: string) => {
    const rows = await rowsOf(db, id)
    const [first] = rows
    if (!first) return undefined
    return { outcome: first.outcome, total: Number(first.total ?? 0), matches: matchesIn(rows) }
  }
}

/** A place in the matches of a submission: that of this photo with this similarity. */
export interface MatchPlace {
  similarity: number
  id: string
}

/** The matches of a submission that is not older than this.
 *  @param after gives the matches after this place; without it, the best
 *  @param limit without it: all
 *  @returns undefined when there is no such submission */
export async function findMatches(
  db: Db,
  id: string,
  {
    maxAgeSeconds,
    after,
    limit,
  }: { maxAgeSeconds: number; after?: MatchPlace | undefined; limit?: number | undefined },
) {
  const rows = await db
    .selectFrom('submissions')
    .leftJoinLateral(
      (eb) =>
        validMatches(eb)
          .$if(after !== undefined, (query) =>
            query.where((one) =>
              one.or([
                one('matches.similarity', '<', after!.similarity),
                one('matches.similarity', '=', after!.similarity).and('photos.id', '>', after!.id),
              ]),
            ),
          )
          .$if(limit !== undefined, (query) => query.limit(limit!))
          .as('found'),
      (join) => join.onTrue(),
    )
    .selectAll('found')
    .where('submissions.id', '=', id)
    .where('submissions.created_at', '>', secondsAgo(maxAgeSeconds))
    .orderBy('found.similarity', 'desc')
    .orderBy('found.id')
    .execute()
  return rows.length === 0 ? undefined : matchesIn(rows)
}

type Match = InferResult<ReturnType<typeof validMatches>>[number]

/** The rows that have a match. A submission without matches has one row. */
function matchesIn(rows: { [Column in keyof Match]: Match[Column] | null }[]): Match[] {
  return rows.filter((row): row is Match => row.id !== null)
}
