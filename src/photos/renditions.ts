import type { Readable } from 'node:stream'
import type { Photo } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { createGate } from '../gate.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { renderFull, renderThumbnail, THUMBNAIL_MEDIA_TYPE } from './images.ts'
import type { PhotoSize } from './links.ts'

type PhotoVariant = 'original' | 'thumb' | 'full'
type StoredPhoto = Pick<Photo, 'album_id' | 'sha256' | 'media_type'>

/** Where a photo's files stand in storage. Equal bytes in two albums are kept twice, so that erasing an album
 *  is erasing its folder. */
export function photoKey(albumId: string, sha256: Buffer, variant: PhotoVariant): string {
  return `albums/${albumId}/${sha256.toString('hex')}/${variant}`
}

/** A photo as a guest receives it: upright and without metadata. The thumbnail was made at upload. The full
 *  size is made when it is first asked for, and kept: most photos of an event are never opened.
 *
 *  `size` is in bytes. Throws AppError NOT_FOUND when the photo has been erased. */
export async function openRendition(
  { storage }: { storage: FileStorage },
  photo: StoredPhoto,
  size: PhotoSize,
): Promise<{ stream: Readable; size: number; mediaType: string }> {
  const variant = size === 'thumb' ? 'thumb' : 'full'
  const mediaType = variant === 'thumb' ? THUMBNAIL_MEDIA_TYPE : photo.media_type
  const key = photoKey(photo.album_id, photo.sha256, variant)
  try {
    return { ...(await storage.open(key)), mediaType }
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error
  }
  await renderOnce(storage, photo, variant)
  return { ...(await storage.open(key)), mediaType }
}

/** A full rendition holds an original, pixels and the result; those who wait hold nothing yet. */
const rendering = createGate(2)
/** What each storage's renditions are being made into now, so that several who ask share the work. */
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
  // The album may have been erased meanwhile; nothing of it may come back.
  if (!(await storage.exists(originalKey))) await storage.delete(key)
}
