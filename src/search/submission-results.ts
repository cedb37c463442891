import { PHOTOS_WITH_RESULTS } from '../contract/limits.ts'
import type { ResultPhotos, Results } from '../contract/submissions.ts'
import type { Db } from '../database/client.ts'
import { shareReads } from '../database/shared-reads.ts'
import type { PhotoLinks } from '../photos/links.ts'
import { pictureName } from '../photos/picture-name.ts'
import { addressesOf } from './addresses.ts'
import { requireResults } from './submission-retention.ts'

interface Deps {
  db: Db
  links: PhotoLinks
}

/** What a submission has found, with the photos as long as they are few. Equal reads that begin together share a query.
 *  @param origin where addresses begin, without a slash at its end
 *  @throws AppError NOT_FOUND */
export const submissionResults = shareReads(
  async (deps: Deps, { id, origin }: { id: string; origin: string }): Promise<Results> => {
    const { outcome, total, matches } = await requireResults(deps.db, id, { few: true })
    if (outcome === null) return { processed: false, totalMatches: 0, photos: [] }
    if (total > PHOTOS_WITH_RESULTS) return { processed: true, totalMatches: total }
    return {
      processed: true,
      totalMatches: total,
      photos: matches.map((match) => photoOf(deps, match, origin)),
    }
  },
  ({ id, origin }) => JSON.stringify([id, origin]),
)

/** All photos that a submission has found, best match first.
 *  @param origin where addresses begin, without a slash at its end
 *  @throws AppError NOT_FOUND */
export async function submissionPhotos(deps: Deps, id: string, origin: string): Promise<ResultPhotos> {
  const { matches } = await requireResults(deps.db, id)
  return { photos: matches.map((match) => photoOf(deps, match, origin)) }
}

type Match = Awaited<ReturnType<typeof requireResults>>['matches'][number]

function photoOf({ links }: Deps, match: Match, origin: string): ResultPhotos['photos'][number] {
  return { ...addressesOf(links, origin, match), filename: pictureName(match.filename, match.media_type) }
}
