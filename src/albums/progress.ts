import type { Progress } from '../contract/albums.ts'
import type { AlbumWithProgress } from './queries.ts'

/** What polling clients see. A complete album stays complete and searchable during a later upload round. The two flags
 *  describe that round. */
export function progressOf(album: AlbumWithProgress): Progress {
  const isUploading = album.open_round_id !== null
  return {
    totalPhotos: Math.max(album.open_round_total ?? 0, album.photos_stored),
    photosUploadedToS3: album.photos_stored,
    photosIndexedToRekognition: album.photos_settled,
    isUploadingToS3: isUploading,
    isIndexingToRekognition: album.photos_settled < album.photos_stored,
    isCompleted: album.completed_at !== null,
  }
}
