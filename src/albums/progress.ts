import type { Progress } from '../contract/albums.ts'
import type { EngineName } from '../database/schema.ts'
import type { AlbumWithProgress } from './progress-queries.ts'
import { paceOf } from './settling-pace.ts'

/** What polling clients see. A complete album stays complete and searchable during a later upload round. The two flags
 *  describe that round. It is incomplete again while another engine indexes its photos, or has to.
 *  @param engine the configured one */
export function progressOf(album: AlbumWithProgress, engine: EngineName): Progress {
  const isOfAnotherEngine = album.engine !== null && album.engine !== engine
  const searchable = isOfAnotherEngine ? 0 : album.photos_settled
  const isUploading = album.open_round_id !== null
  const totalPhotos = Math.max(album.open_round_total ?? 0, album.photos_stored)
  const photosLeft = totalPhotos - searchable
  // Nobody knows how many photos a round without a total will bring.
  const isTotalKnown = !isUploading || album.open_round_total !== null
  const pace = photosLeft > 0 && !isOfAnotherEngine ? paceOf(album) : null
  return {
    totalPhotos,
    photosUploadedToS3: album.photos_stored,
    photosIndexedToRekognition: searchable,
    isUploadingToS3: isUploading,
    isIndexingToRekognition: searchable < album.photos_stored,
    isCompleted: album.completed_at !== null && !album.is_reindexing && !isOfAnotherEngine,
    isOfAnotherEngine,
    photosPerMinute: pace === null ? null : Math.round(pace * 600) / 10,
    secondsLeft: pace === null || !isTotalKnown ? null : Math.ceil(photosLeft / pace),
  }
}
