import type { AppContext } from '../context.ts'
import { PHOTOS_WITH_RESULTS } from '../contract/limits.ts'
import { isOpen } from '../contract/opening.ts'
import type { ResultPhotos, ResultPhotosPage, Results } from '../contract/submissions.ts'
import type { Db } from '../database/client.ts'
import { boxOf } from '../photos/face-box.ts'
import { notOpen } from '../photos/links.ts'
import { shownPhoto } from '../photos/shown-photo.ts'
import { albumsOfSubmission, findPossible, type MatchPlace } from './result-queries.ts'
import { requireResults, requireSubmission } from './submission-retention.ts'

/** What a submission has found, with the photos as long as they are few.
 *  @throws AppError NOT_FOUND */
export async function submissionResults(
  deps: Pick<AppContext, 'db' | 'links'>,
  id: string,
  origin: string,
): Promise<Results> {
  const { outcome } = await requireSubmission(deps.db, id)
  await requireOpenAlbum(deps.db, id)
  if (outcome === null) return { processed: false, totalMatches: 0, photos: [] }
  // Without its selfie a submission can find nothing any more.
  if (outcome === 'expired') return { processed: true, totalMatches: 0, photos: [], hasFailed: true }
  const { total, matches } = await requireResults(deps.db, id, { limit: PHOTOS_WITH_RESULTS })
  const answer = { processed: true, totalMatches: total, possible: await possibleOf(deps, id, origin) }
  if (total > PHOTOS_WITH_RESULTS) return answer
  return {
    ...answer,
    photos: matches.map((match) => shownPhoto(deps.links, origin, match)),
  }
}

/** @throws AppError FORBIDDEN when a guest's submission was searched only in albums that are not open */
async function requireOpenAlbum(db: Db, id: string): Promise<void> {
  const albums = await albumsOfSubmission(db, id)
  const isShown = albums.some((album) => album.owner_key_version !== null || isOpen(album))
  if (albums[0] && !isShown) throw notOpen(albums[0])
}

async function possibleOf(
  { db, links }: Pick<AppContext, 'db' | 'links'>,
  id: string,
  origin: string,
): Promise<NonNullable<Results['possible']>> {
  const rows = await findPossible(db, id)
  return rows.map((row) => ({
    ...shownPhoto(links, origin, row),
    face: { id: row.face_id, box: boxOf(row) },
  }))
}

/** The photos that a submission has found, best match first: one page of them, or without a limit all.
 *  @param cursor the former page's `nextCursor`
 *  @returns `nextCursor`: missing on the last page
 *  @throws AppError NOT_FOUND */
export async function submissionPhotos(
  deps: Pick<AppContext, 'db' | 'links'>,
  { id, limit, cursor }: ResultPhotosPage,
  origin: string,
): Promise<ResultPhotos> {
  const after = cursor ? placeAt(cursor) : undefined
  // One more than asked for shows whether there is another page.
  await requireSubmission(deps.db, id)
  await requireOpenAlbum(deps.db, id)
  const { matches: found } = await requireResults(deps.db, id, { after, limit: limit && limit + 1 })
  const matches = found.slice(0, limit)
  const last = matches.at(-1)
  return {
    photos: matches.map((match) => shownPhoto(deps.links, origin, match)),
    ...(last && found.length > matches.length && { nextCursor: cursorAt(last) }),
  }
}

const cursorAt = ({ similarity, id }: MatchPlace) => `${similarity}_${id}`

function placeAt(cursor: string): MatchPlace {
  const [similarity, id = ''] = cursor.split('_')
  return { similarity: Number(similarity), id }
}
