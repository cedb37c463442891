import { ALBUM_FULL } from '../contract/wording.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'

/** How much an album can hold. */
export interface AlbumQuota {
  photos: number
  /** Size of the originals and of their renditions. */
  bytes: number
}

/** What an album holds. */
export type AlbumContent = AlbumQuota

export function contentOf(album: Album): AlbumContent {
  return { photos: album.photos_stored, bytes: Number(album.bytes_stored) }
}

/** Only an upload asks: the renditions of a photo that was accepted are always made, at most 25 MB for each photo.
 *  @returns why one more photo of this many bytes does not fit, in an error for the owner; undefined when it fits */
export function quotaFault(quota: AlbumQuota, content: AlbumContent, bytes: number): AppError | undefined {
  if (content.photos + 1 > quota.photos) return tooManyPhotosInAlbum(quota)
  if (content.bytes + bytes > quota.bytes) return tooManyBytesInAlbum(quota)
  return undefined
}

const ANOTHER_ALBUM = 'Please create another album for the others'

export const tooManyPhotosInAlbum = ({ photos }: AlbumQuota) =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `${ALBUM_FULL}: it holds at most ${photos.toLocaleString('en')} photos. ${ANOTHER_ALBUM}`,
  )

export const tooManyBytesInAlbum = ({ bytes }: AlbumQuota) =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `${ALBUM_FULL}: it holds at most ${(bytes / 1e9).toLocaleString('en')} GB of photos. ${ANOTHER_ALBUM}`,
  )
