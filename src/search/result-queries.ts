import type { ExpressionBuilder, InferResult } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Database } from '../database/schema.ts'
import { isOpenNow, secondsAgo } from '../database/times.ts'
import { SHOWN } from '../photos/queries.ts'

/** The albums of a submission whose results may still be shown. What a former password or a former owner key led to is
 *  left out, and so are albums that are not open to guests. */
function searchedAlbums(eb: ExpressionBuilder<Database, 'submissions'>) {
  return eb
    .selectFrom('submission_albums as searched')
    .innerJoin('albums', 'albums.id', 'searched.album_id')
    .select(['searched.album_id', 'searched.owner_key_version', 'albums.password_version'])
    .whereRef('searched.submission_id', '=', 'submissions.id')
    .where((one) => one.or([one('searched.owner_key_version', 'is not', null), isOpenNow]))
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
export interface MatchPlace {
  similarity: number
  id: string
}

/** The matches of a submission that is not older than this. `total` counts all matches, also those that are left out.
 *  @param after gives the matches after this place; without it, the best
 *  @param limit without it: all
 *  @returns undefined when there is no such submission */
export async function findResults(
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
        eb
          .selectFrom(searchedAlbums(eb).select('searched.matches').as('searched'))
          .select((one) => one.fn.sum<string>('searched.matches').as('total'))
          .as('counted'),
      (join) => join.onTrue(),
    )
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
    .select('counted.total')
    .selectAll('found')
    .where('submissions.id', '=', id)
    .where('submissions.created_at', '>', secondsAgo(maxAgeSeconds))
    .orderBy('found.similarity', 'desc')
    .orderBy('found.id')
    .execute()
  const [first] = rows
  if (!first) return undefined
  return { total: Number(first.total ?? 0), matches: matchesIn(rows) }
}

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
    .select(['searched.owner_key_version', 'albums.opens_at', 'albums.closes_at'])
    .where('searched.submission_id', '=', id)
    .execute()
}

type Match = InferResult<ReturnType<typeof validMatches>>[number]

/** The rows that have a match. A submission without matches has one row. */
function matchesIn(rows: { [Column in keyof Match]: Match[Column] | null }[]): Match[] {
  return rows.filter((row): row is Match => row.id !== null)
}
