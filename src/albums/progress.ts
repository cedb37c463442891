import type { Progress } from '../contract/albums.ts'
import type { AlbumWithProgress } from './progress-queries.ts'
import { paceOf } from './settling-pace.ts'

/** What polling clients see. A complete album stays complete and searchable during a later upload round. The two flags
 *  describe that round. */
export function progressOf(album: AlbumWithProgress): Progress {
  const isUploading = album.open_round_id !== null
  const totalPhotos = Math.max(album.open_round_total ?? 0, album.photos_stored)
  const photosLeft = totalPhotos - album.photos_settled
  // Nobody knows how many photos a round without a total will bring.
  const isTotalKnown = !isUploading || album.open_round_total !== null
  const pace = photosLeft > 0 ? paceOf(album) : null
  return {
    totalPhotos,
    photosUploadedToS3: album.photos_stored,
    photosIndexedToRekognition: album.photos_settled,
    isUploadingToS3: isUploading,
    isIndexingToRekognition: album.photos_settled < album.photos_stored,
    isCompleted: album.completed_at !== null,
    photosPerMinute: pace === null ? null : Math.round(pace * 600) / 10,
    secondsLeft: pace === null || !isTotalKnown ? null : Math.ceil(photosLeft / pace),
  }
}
