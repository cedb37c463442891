import { availableParallelism } from 'node:os'
import type { AppContext } from '../context.ts'
import type { Photo } from '../database/schema.ts'
import { createLimiter } from '../processes/limiter.ts'
import { type FileStorage, fileMissing } from '../storage/file-storage.ts'
import type { PhotoSize } from './links.ts'
import { tooManyWaiting } from './picture-errors.ts'
import { fullMediaType, PREVIEW_MEDIA_TYPE, THUMBNAIL_MEDIA_TYPE } from './picture-types.ts'
import { recordFullSize } from './queries.ts'

/** The copies of a photo that guests receive. */
export type Rendition = 'thumb' | 'preview' | 'full'
type StoredPhoto = Pick<Photo, 'album_id' | 'sha256' | 'media_type' | 'width' | 'height'>

/** The storage keys of a photo's files. Equal bytes in two albums are stored twice, so an album is erased with its
 *  folder. */
export function photoKey(albumId: string, sha256: Buffer, variant: 'original' | Rendition): string {
  return photoFolder(albumId, sha256) + variant
}

/** Where they all are. */
export function photoFolder(albumId: string, sha256: Buffer): string {
  return `albums/${albumId}/${sha256.toString('hex')}/`
}

/** Who waits for a rendition. */
export interface Asker {
  /** The network address. */
  network: string
  /** Aborts when the caller has hung up. */
  signal?: AbortSignal | undefined
}

/** A hall of guests behind one address may open as many photos at once. Each takes some tenths of a second. */
const making = createLimiter({
  running: availableParallelism() + 1,
  perKey: availableParallelism(),
  waiting: 500,
  waitMs: 30_000,
  refusal: tooManyWaiting,
})

/** Renditions that are being made, by key. */
const underWay = new Map<string, Promise<void>>()

/** The storage key of a photo as a guest receives it: upright and without metadata. The thumbnail was made at upload,
 *  and the preview by the embedded engine. What is missing is made at the first request and then stored: the full
 *  size always, because most photos of an event are never opened. What has begun is made to its end, so that asking and
 *  hanging up again and again costs no more than asking once.
 *
 *  @param asker takes turns with other networks
 *
 *  Throws AppError NOT_FOUND when the photo has been erased, as Decoders does when the picture cannot be decoded,
 *  SERVICE_UNAVAILABLE when the asker's network waits for too many, or when the file is missing and the disk is almost
 *  full, TIMEOUT when the asker hangs up before its turn. */
export async function findRendition(
  deps: Pick<AppContext, 'db' | 'decoders' | 'freeDisk' | 'storage'>,
  photo: StoredPhoto,
  size: PhotoSize,
  { network, signal }: Asker,
): Promise<{ key: string; mediaType: string }> {
  const rendition = size === 'download' ? 'full' : size
  const key = photoKey(photo.album_id, photo.sha256, rendition)
  const make = async () => {
    // Others may have asked for it before.
    if (await deps.storage.exists(key)) return
    const made = underWay.get(key) ?? render(deps, photo, rendition).finally(() => underWay.delete(key))
    underWay.set(key, made)
    await made
  }
  if (!(await deps.storage.exists(key))) await making.run(network, make, { signal })
  return { key, mediaType: mediaTypeOf(rendition, photo) }
}

/** The size of a full one, which zips need, is recorded before it is stored: if the process dies in between, the next request
 *  records the same again. */
async function render(
  { db, storage, freeDisk, decoders }: Pick<AppContext, 'db' | 'decoders' | 'freeDisk' | 'storage'>,
  photo: StoredPhoto,
  rendition: Rendition,
): Promise<void> {
  await freeDisk.require()
  const original = photoKey(photo.album_id, photo.sha256, 'original')
  const bytes = await decoders.render(rendition, () => storage.read(original))
  if (rendition === 'full' && !(await recordFullSize(db, photo, bytes.length))) throw fileMissing()
  await keepRendition(storage, photo, rendition, bytes)
}

/** Stores a rendition. */
export async function keepRendition(
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
  const types = { thumb: THUMBNAIL_MEDIA_TYPE, preview: PREVIEW_MEDIA_TYPE, full: fullMediaType(photo) }
  return types[rendition]
}
