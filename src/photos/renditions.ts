import type { Photo } from '../database/schema.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import type { Decoders } from './decoders.ts'
import type { PhotoSize } from './links.ts'
import { PREVIEW_MEDIA_TYPE, THUMBNAIL_MEDIA_TYPE } from './picture-types.ts'

type Rendition = 'thumb' | 'preview' | 'full'
interface Deps {
  storage: FileStorage
  decoders: Decoders
}

type StoredPhoto = Pick<Photo, 'album_id' | 'sha256' | 'media_type'>

/** The storage keys of a photo's files. Equal bytes in two albums are stored twice, so an album is erased with its
 *  folder. */
export function photoKey(albumId: string, sha256: Buffer, variant: 'original' | Rendition): string {
  return `albums/${albumId}/${sha256.toString('hex')}/${variant}`
}

/** The storage key of a photo as a guest receives it: upright and without metadata. The thumbnail was made at upload,
 *  and the preview by the embedded engine. What is missing is made at the first request and then stored: the full
 *  size always, because most photos of an event are never opened.
 *
 *  Throws AppError NOT_FOUND when the photo has been erased. */
export async function findRendition(
  deps: Deps,
  photo: StoredPhoto,
  size: PhotoSize,
): Promise<{ key: string; mediaType: string }> {
  const rendition = size === 'download' ? 'full' : size
  const key = photoKey(photo.album_id, photo.sha256, rendition)
  if (!(await deps.storage.exists(key))) await renderOnce(deps, photo, rendition)
  return { key, mediaType: mediaTypeOf(rendition, photo) }
}

/** Stores a preview that was made outside of this module. */
export function keepPreview(storage: FileStorage, photo: StoredPhoto, preview: Buffer): Promise<void> {
  return store(storage, photo, 'preview', preview)
}

/** The renditions under way in each storage, so that simultaneous requests share the work. */
const underWay = new WeakMap<FileStorage, Map<string, Promise<void>>>()

function renderOnce(deps: Deps, photo: StoredPhoto, rendition: Rendition): Promise<void> {
  const key = photoKey(photo.album_id, photo.sha256, rendition)
  const { storage } = deps
  const here = underWay.get(storage) ?? new Map<string, Promise<void>>()
  underWay.set(storage, here)
  const running = here.get(key)
  if (running) return running
  const made = render(deps, photo, rendition).finally(() => here.delete(key))
  here.set(key, made)
  return made
}

async function render({ storage, decoders }: Deps, photo: StoredPhoto, rendition: Rendition): Promise<void> {
  const read = () => storage.read(photoKey(photo.album_id, photo.sha256, 'original'))
  const decode = { thumb: decoders.thumbnail, preview: decoders.preview, full: decoders.full }[rendition]
  await store(storage, photo, rendition, await decode(read, photo.album_id))
}

async function store(
  storage: FileStorage,
  photo: StoredPhoto,
  rendition: Rendition,
  bytes: Buffer,
): Promise<void> {
  const key = photoKey(photo.album_id, photo.sha256, rendition)
  await storage.write(key, bytes, mediaTypeOf(rendition, photo))
  // The album may have been erased meanwhile, and then nothing may be stored for it.
  if (!(await storage.exists(photoKey(photo.album_id, photo.sha256, 'original')))) await storage.delete(key)
}

function mediaTypeOf(rendition: Rendition, photo: StoredPhoto): string {
  return { thumb: THUMBNAIL_MEDIA_TYPE, preview: PREVIEW_MEDIA_TYPE, full: photo.media_type }[rendition]
}
