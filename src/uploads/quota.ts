import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'

/** How much an album can hold. */
export interface AlbumQuota {
  photos: number
  /** Size of the originals. */
  bytes: number
}

/** What an album holds. */
export type AlbumContent = AlbumQuota

export function contentOf(album: Album): AlbumContent {
  return { photos: album.photos_stored, bytes: Number(album.bytes_stored) }
}

/** @returns why one more photo of this many bytes does not fit, in an error for the owner; undefined when it fits */
export function quotaFault(quota: AlbumQuota, content: AlbumContent, bytes: number): AppError | undefined {
  if (content.photos + 1 > quota.photos) return tooManyPhotosInAlbum(quota)
  if (content.bytes + bytes > quota.bytes) return tooManyBytesInAlbum(quota)
  return undefined
}

const albumFull = (most: string) =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The album is full: it holds at most ${most}. Please create another album for the others`,
    { reason: 'album_full' },
  )

const tooManyPhotosInAlbum = ({ photos }: AlbumQuota) => albumFull(`${photos.toLocaleString('en')} photos`)

const tooManyBytesInAlbum = ({ bytes }: AlbumQuota) =>
  albumFull(`${(bytes / 1e9).toLocaleString('en')} GB of photos`)
