import type { Coverage } from '../contract/albums/albums.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { countFacesOptedOut } from '../photos/face-queries.ts'
import { countKinds, skippedFiles } from '../photos/owner-queries.ts'
import { albumNotFound } from './access.ts'

const LISTED = 1_000

/** What happened to everything that the owner has sent.
 *  @throws AppError NOT_FOUND when the album was erased meanwhile */
export async function coverageOf(db: Db, { id }: Pick<Album, 'id'>): Promise<Coverage> {
  const [counts, refused, facesOptedOut] = await Promise.all([
    countKinds(db, id),
    skippedFiles(db, id, { limit: LISTED, onlyRefused: true }),
    countFacesOptedOut(db, id),
  ])
  if (!counts) throw albumNotFound()
  const filesSkipped = refused[0]?.total ?? 0
  return {
    ...counts,
    filesSent: counts.photosStored + filesSkipped,
    filesSkipped,
    facesOptedOut,
    skippedFiles: refused.map(({ filename, reason }) => ({ filename, reason })),
  }
}
