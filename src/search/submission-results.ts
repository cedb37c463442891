import type { AppContext } from '../context.ts'
import { isOpen } from '../contract/albums/opening.ts'
import { PHOTOS_WITH_RESULTS } from '../contract/limits.ts'
import type { ResultPhotos, ResultPhotosPage, Results } from '../contract/submissions.ts'
import type { Db } from '../database/client.ts'
import { isUuid } from '../database/uuid.ts'
import { boxOf } from '../photos/face-box.ts'
import { notOpen } from '../photos/links.ts'
import { shownPhoto } from '../photos/shown-photo.ts'
import { albumsOfSubmission, findPossible, findResults, type MatchPlace } from './queries.ts'
import { requireSubmission, submissionGone } from './submissions.ts'

/** What a submission has found, with the photos as long as they are few.
 *  @throws AppError NOT_FOUND */
export async function submissionResults(
  { db, links }: Pick<AppContext, 'db' | 'links'>,
  id: string,
  origin: string,
): Promise<Results> {
  // Pages ask again and again until there is an outcome: that is one query on a primary key.
  const { outcome } = await requireSubmission(db, id)
  if (outcome === null) return { processed: false, totalMatches: 0, photos: [] }
  // Without its selfie a submission can find nothing any more.
  if (outcome === 'expired') return { processed: true, totalMatches: 0, photos: [], hasFailed: true }
  const { total, matches } = await requireResults(db, id, { limit: PHOTOS_WITH_RESULTS })
  const possible = await findPossible(db, id)
  return {
    processed: true,
    totalMatches: total,
    possible: possible.map((row) => ({
      ...shownPhoto(links, origin, row),
      face: { id: row.face_id, box: boxOf(row) },
    })),
    ...(total <= PHOTOS_WITH_RESULTS && {
      photos: matches.map((match) => shownPhoto(links, origin, match)),
    }),
  }
}

/** @throws AppError NOT_FOUND when it does not exist, or no longer exists; FORBIDDEN when a guest's submission was searched only
 *    in albums that are not open */
async function requireResults(...[db, id, page]: Parameters<typeof findResults>) {
  const results = isUuid(id) ? await findResults(db, id, page) : undefined
  if (!results) throw submissionGone()
  // Only a submission of which nothing is shown can be one of albums that are not open.
  if (results.total === 0) await requireOpenAlbum(db, id)
  return results
}

async function requireOpenAlbum(db: Db, id: string): Promise<void> {
  const albums = await albumsOfSubmission(db, id)
  const isShown = albums.some((album) => album.owner_key_version !== null || isOpen(album.settings))
  if (albums[0] && !isShown) throw notOpen(albums[0].settings)
}

/** The photos that a submission has found, best match first: one page of them, or without a limit all.
 *  @param cursor the former page's `nextCursor`
 *  @returns `nextCursor`: missing on the last page
 *  @throws AppError NOT_FOUND */
export async function submissionPhotos(
  { db, links }: Pick<AppContext, 'db' | 'links'>,
  { id, limit, cursor }: ResultPhotosPage,
  origin: string,
): Promise<ResultPhotos> {
  const after = cursor ? placeAt(cursor) : undefined
  // One more than asked for shows whether there is another page.
  const { matches: found } = await requireResults(db, id, { after, limit: limit && limit + 1 })
  const matches = found.slice(0, limit)
  const last = matches.at(-1)
  return {
    photos: matches.map((match) => shownPhoto(links, origin, match)),
    ...(last && found.length > matches.length && { nextCursor: cursorAt(last) }),
  }
}

const cursorAt = ({ similarity, id }: MatchPlace) => `${similarity}_${id}`

function placeAt(cursor: string): MatchPlace {
  const [similarity, id = ''] = cursor.split('_')
  return { similarity: Number(similarity), id }
}
