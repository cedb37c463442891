import type { z } from 'zod'
import { type coverageOutput, NO_FACE_IN_PHOTO } from '../contract/albums.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { UnindexedReason } from '../faces/face-index.ts'
import { countSearchable, photosLeftOut, skippedFiles } from '../photos/coverage-queries.ts'
import { countFacesOptedOut } from '../photos/face-queries.ts'
import { countHiddenPhotos } from '../photos/hidden-queries.ts'

const LISTED = 1_000

/** What happened to everything that the owner has sent. */
export async function coverageOf(db: Db, album: Album): Promise<z.infer<typeof coverageOutput>> {
  const [skipped, faceless, partly, searchable, hidden, optedOut] = await Promise.all([
    skippedFiles(db, album.id, { limit: LISTED }),
    photosLeftOut(db, album.id, 'without_face', LISTED),
    photosLeftOut(db, album.id, 'with_unindexed_faces', LISTED),
    countSearchable(db, album),
    countHiddenPhotos(db, album.id),
    countFacesOptedOut(db, album.id),
  ])
  return {
    photosStored: album.photos_stored,
    photosSearchable: searchable,
    facesFound: album.faces_found,
    facesOptedOut: optedOut,
    photosHidden: hidden,
    skippedFiles: skipped.map(({ filename, reason }) => ({ filename, reason })),
    photosWithoutFace: faceless.map((photo) => ({
      filename: photo.filename,
      reason: photo.unindexed_count > 0 ? whyLeftOut(photo) : NO_FACE_IN_PHOTO,
    })),
    photosPartlySearchable: partly.map((photo) => ({
      filename: photo.filename,
      reason: whyLeftOut(photo),
    })),
  }
}

/** The face engine's reasons, in words for the owner. */
const IN_WORDS: Record<string, string> = {
  EXCEEDS_MAX_FACES: 'beyond the number that one photo may have',
  EXTREME_POSE: 'turned too far away',
  LOW_BRIGHTNESS: 'too dark',
  LOW_SHARPNESS: 'too blurred',
  LOW_CONFIDENCE: 'not clear enough',
  SMALL_BOUNDING_BOX: 'too small',
  LOW_FACE_QUALITY: 'not clear enough',
} satisfies Record<UnindexedReason, string>

/** Such as `2 faces cannot be searched for: too small, too blurred`. */
function whyLeftOut(photo: { unindexed_count: number; unindexed_reasons: string[] }): string {
  const reasons = new Set(photo.unindexed_reasons.map((reason) => IN_WORDS[reason] ?? 'not clear enough'))
  const count = photo.unindexed_count === 1 ? '1 face' : `${photo.unindexed_count} faces`
  return `${count} cannot be searched for: ${[...reasons].join(', ')}`
}
