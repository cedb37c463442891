import type { Photo } from '../database/schema.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import type { Decoders } from './decoders.ts'
import type { PhotoSize } from './links.ts'
import { THUMBNAIL_MEDIA_TYPE } from './picture-types.ts'

type PhotoVariant = 'original' | 'thumb' | 'full'
interface Deps {
  storage: FileStorage
  decoders: Decoders
}

type StoredPhoto = Pick<Photo, 'album_id' | 'sha256' | 'media_type'>

/** The storage keys of a photo's files. Equal bytes in two albums are stored twice, so an album is erased with its
 *  folder. */
export function photoKey(albumId: string, sha256: Buffer, variant: PhotoVariant): string {
  return `albums/${albumId}/${sha256.toString('hex')}/${variant}`
}

/** The storage key of a photo as a guest receives it: upright and without metadata. The thumbnail was made at upload.
 *  The full size is made at the first request and then stored, because most photos of an event are never opened.
 *
 *  Throws AppError NOT_FOUND when the photo has been erased. */
export async function findRendition(
  deps: Deps,
  photo: StoredPhoto,
  size: PhotoSize,
): Promise<{ key: string; mediaType: string }> {
  const variant = size === 'thumb' ? 'thumb' : 'full'
  const key = photoKey(photo.album_id, photo.sha256, variant)
  if (!(await deps.storage.exists(key))) await renderOnce(deps, photo, variant)
  return { key, mediaType: variant === 'thumb' ? THUMBNAIL_MEDIA_TYPE : photo.media_type }
}

/** The renditions under way in each storage, so that simultaneous requests share the work. */
const underWay = new WeakMap<FileStorage, Map<string, Promise<void>>>()

function renderOnce(deps: Deps, photo: StoredPhoto, variant: 'thumb' | 'full'): Promise<void> {
  const key = photoKey(photo.album_id, photo.sha256, variant)
  const { storage } = deps
  const here = underWay.get(storage) ?? new Map<string, Promise<void>>()
  underWay.set(storage, here)
  const running = here.get(key)
  if (running) return running
  const made = render(deps, photo, variant).finally(() => here.delete(key))
  here.set(key, made)
  return made
}

async function render(
  { storage, decoders }: Deps,
  photo: StoredPhoto,
  variant: 'thumb' | 'full',
): Promise<void> {
  const originalKey = photoKey(photo.album_id, photo.sha256, 'original')
  const key = photoKey(photo.album_id, photo.sha256, variant)
  const read = () => storage.read(originalKey)
  if (variant === 'thumb')
    await storage.write(key, await decoders.thumbnail(read, photo.album_id), THUMBNAIL_MEDIA_TYPE)
  else await storage.write(key, await decoders.full(read, photo.album_id), photo.media_type)
  // The album may have been erased meanwhile, and then nothing may be stored for it.
  if (!(await storage.exists(originalKey))) await storage.delete(key)
}
