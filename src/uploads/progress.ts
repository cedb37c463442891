import { albumNotFound, type Grant, hasGrant, noGrantOn, readReference } from '../albums/access.ts'
import type { Progress } from '../contract/albums/albums.ts'
import type { Db } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'
import { type AlbumWithProgress, findAlbumWithProgress, PAUSE_SECONDS } from './queries.ts'

/** What polling clients see. A complete album stays complete and searchable during a later upload round. The two flags
 *  describe that round. It is incomplete again while another engine indexes its photos, or has to. */
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
    facesEndedAt: album.faces_ended_at?.toISOString() ?? null,
    photosPerMinute: pace === null ? null : Math.round(pace * 600) / 10,
    secondsLeft: pace === null || !isTotalKnown ? null : Math.ceil(photosLeft / pace),
  }
}

/** Less than this is too little to measure a pace. */
const MEASURED = { photos: 3, seconds: 10 }

/** An album's measurement. All are null before its first photos are settled. */
export interface SettlingRow {
  /** Photos that were settled recently, and the seconds that this took. The older, the less they count. */
  recently_settled: number | null
  recent_seconds: number | null
  /** Seconds since photos were settled last. */
  seconds_since_settled: number | null
}

/** How fast the photos of an album are settled, by all processes together.
 *  @returns photos a second; null while too little is known, and during a pause */
export function paceOf({
  recently_settled: photos,
  recent_seconds: seconds,
  seconds_since_settled: silence,
}: SettlingRow): number | null {
  if (photos === null || seconds === null || silence === null) return null
  if (silence > PAUSE_SECONDS || photos < MEASURED.photos || seconds < MEASURED.seconds) return null
  return photos / seconds
}

/** The album's progress row, for the holder of the owner key or of any grant on it.
 *  @throws AppError NOT_FOUND, UNAUTHORIZED without a grant. */
export async function requireProgress(
  db: Db,
  reference: string,
  grants: Grant[],
): Promise<AlbumWithProgress> {
  const { key, byOwnerKey } = readReference(reference)
  const album = await findAlbumWithProgress(db, key)
  if (!album) throw albumNotFound()
  if (!byOwnerKey && !hasGrant(album, grants)) throw noGrantOn(album, grants)
  return album
}
