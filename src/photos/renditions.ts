import type { Photo } from '../database/schema.ts'
import { createGate } from '../gate.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { renderFull, renderThumbnail, THUMBNAIL_MEDIA_TYPE } from './images.ts'
import type { PhotoSize } from './links.ts'

type PhotoVariant = 'original' | 'thumb' | 'full'
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
  { storage }: { storage: FileStorage },
  photo: StoredPhoto,
  size: PhotoSize,
): Promise<{ key: string; mediaType: string }> {
  const variant = size === 'thumb' ? 'thumb' : 'full'
  const key = photoKey(photo.album_id, photo.sha256, variant)
  if (!(await storage.exists(key))) await renderOnce(storage, photo, variant)
  return { key, mediaType: variant === 'thumb' ? THUMBNAIL_MEDIA_TYPE : photo.media_type }
}

/** A full rendition holds the original, its pixels and the result in memory. Waiting ones hold nothing. */
const rendering = createGate(2)
/** The renditions under way in each storage, so that simultaneous requests share the work. */
const underWay = new WeakMap<FileStorage, Map<string, Promise<void>>>()

function renderOnce(storage: FileStorage, photo: StoredPhoto, variant: 'thumb' | 'full'): Promise<void> {
  const key = photoKey(photo.album_id, photo.sha256, variant)
  const here = underWay.get(storage) ?? new Map<string, Promise<void>>()
  underWay.set(storage, here)
  const running = here.get(key)
  if (running) return running
  const made = rendering(() => render(storage, photo, variant)).finally(() => here.delete(key))
  here.set(key, made)
  return made
}

async function render(storage: FileStorage, photo: StoredPhoto, variant: 'thumb' | 'full'): Promise<void> {
  const originalKey = photoKey(photo.album_id, photo.sha256, 'original')
  const key = photoKey(photo.album_id, photo.sha256, variant)
  const original = await storage.read(originalKey)
  if (variant === 'thumb') await storage.write(key, await renderThumbnail(original), THUMBNAIL_MEDIA_TYPE)
  else await storage.write(key, await renderFull(original), photo.media_type)
  // The album may have been erased meanwhile, and then nothing may be stored for it.
  if (!(await storage.exists(originalKey))) await storage.delete(key)
}
