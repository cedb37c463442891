import type { z } from 'zod'
import type { coverageOutput } from '../contract/albums.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { countGivenUp, photosWithoutFace, skippedFiles } from './queries.ts'

const LISTED = 1_000

/** What became of everything the owner has sent. */
export async function coverageOf(db: Db, album: Album): Promise<z.infer<typeof coverageOutput>> {
  const [skipped, faceless, givenUp] = await Promise.all([
    skippedFiles(db, album.id, { limit: LISTED }),
    photosWithoutFace(db, album.id, LISTED),
    countGivenUp(db, album.id),
  ])
  return {
    photosStored: album.photos_stored,
    photosSearchable: album.photos_settled - givenUp,
    facesFound: album.faces_found,
    skippedFiles: skipped.map(({ filename, reason }) => ({ filename, reason })),
    photosWithoutFace: faceless.map((filename) => ({ filename, reason: 'No face was found in this photo' })),
  }
}
