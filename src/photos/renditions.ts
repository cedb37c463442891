import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { AppContext } from '../context.ts'
import type { Photo } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { createLimiter } from '../processes/limiter.ts'
import { fileMissing } from '../storage/errors.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import type { PhotoSize } from './links.ts'
import { tooManyWaiting } from './picture-errors.ts'
import { FULL_MAX_BYTES, fullMediaType, PREVIEW_MEDIA_TYPE, THUMBNAIL_MEDIA_TYPE } from './picture-types.ts'
import { recordRendition } from './queries.ts'

type Rendition = 'thumb' | 'preview' | 'full'
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

/** The storage key of a photo as a guest receives it: upright and without metadata. The thumbnail was made at upload,
 *  and the preview by the embedded engine. What is missing is made at the first request and then stored: the full
 *  size always, because most photos of an event are never opened.
 *
 *  @param asker takes turns with other networks
 *
 *  Throws AppError NOT_FOUND when the photo has been erased, as Decoders does when the picture cannot be decoded,
 *  SERVICE_UNAVAILABLE when the asker's network waits for too many, or when the file is missing and the disk is almost
 *  full, TIMEOUT when the asker has hung up. */
export async function findRendition(
  deps: Pick<AppContext, 'db' | 'decoders' | 'freeDisk' | 'storage'>,
  photo: StoredPhoto,
  size: PhotoSize,
  asker: Asker,
): Promise<{ key: string; mediaType: string }> {
  const rendition = size === 'download' ? 'full' : size
  const key = photoKey(photo.album_id, photo.sha256, rendition)
  if (!(await deps.storage.exists(key))) await renderOnce(deps, photo, rendition, asker)
  return { key, mediaType: mediaTypeOf(rendition, photo) }
}

/** Stores a preview that was made outside of this module. The caller records its bytes: see settleIndexed. */
export function keepPreview(storage: FileStorage, photo: StoredPhoto, preview: Buffer): Promise<void> {
  return put(storage, photo, 'preview', (key, mediaType) => storage.write(key, preview, mediaType))
}

/** Who waits for a rendition. */
export interface Asker {
  /** The network address. */
  network: string
  /** Aborts when the caller has hung up. */
  signal?: AbortSignal | undefined
}

/** A hall of guests behind one address may open as many photos at once. Each takes some tenths of a second. */
const MADE_AT_ONCE = {
  running: availableParallelism() + 1,
  perKey: availableParallelism(),
  waiting: 500,
  waitMs: 30_000,
}
const making = createLimiter({ ...MADE_AT_ONCE, refusal: tooManyWaiting })

/** A rendition that is being made, or that waits for its turn. */
interface Making {
  done: Promise<void>
  askers: number
  hasBegun: boolean
  /** Aborts when all who asked have hung up before its turn. */
  left: AbortController
}

/** Those of each storage, by key. */
const underWay = new WeakMap<FileStorage, Map<string, Making>>()

/** Makes a rendition once for all who ask for it at the same time. When it has begun it is made to its end, so that asking
 *  and hanging up again and again costs no more than asking once. */
async function renderOnce(
  deps: Pick<AppContext, 'db' | 'decoders' | 'freeDisk' | 'storage'>,
  photo: StoredPhoto,
  rendition: Rendition,
  asker: Asker,
): Promise<void> {
  asker.signal?.throwIfAborted()
  const key = photoKey(photo.album_id, photo.sha256, rendition)
  const all = underWay.get(deps.storage) ?? new Map<string, Making>()
  underWay.set(deps.storage, all)
  const one = all.get(key) ?? make()
  one.askers++
  try {
    await Promise.race([one.done, untilAborted(asker.signal)])
  } finally {
    one.askers--
    if (one.askers === 0 && !one.hasBegun) {
      forget(one)
      one.left.abort()
    }
  }

  function make(): Making {
    const left = new AbortController()
    const begun: Making = { done: Promise.resolve(), askers: 0, hasBegun: false, left }
    const work = () => {
      begun.hasBegun = true
      return renderAndRecord(deps, photo, rendition)
    }
    begun.done = making.run(asker.network, work, { signal: left.signal }).finally(() => forget(begun))
    // All may have hung up.
    begun.done.catch(() => undefined)
    all.set(key, begun)
    return begun
  }

  function forget(made: Making): void {
    if (all.get(key) === made) all.delete(key)
  }
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}

async function renderAndRecord(
  deps: Pick<AppContext, 'db' | 'decoders' | 'freeDisk' | 'storage'>,
  photo: StoredPhoto,
  rendition: Rendition,
): Promise<void> {
  // It may have been made since the caller looked.
  if (await deps.storage.exists(photoKey(photo.album_id, photo.sha256, rendition))) return
  await render(deps, photo, rendition)
}

async function render(
  deps: Pick<AppContext, 'db' | 'decoders' | 'freeDisk' | 'storage'>,
  photo: StoredPhoto,
  rendition: Rendition,
): Promise<void> {
  const { storage, decoders, freeDisk } = deps
  const read = () => storage.read(photoKey(photo.album_id, photo.sha256, 'original'))
  if (rendition !== 'full') {
    await freeDisk.require()
    const decode = rendition === 'thumb' ? decoders.thumbnail : decoders.preview
    const bytes = await decode(read)
    return await store(deps, photo, rendition, bytes.length, (key, mediaType) =>
      storage.write(key, bytes, mediaType),
    )
  }
  // The decoder writes this file, because it may be large. It is asked for room when it is its turn.
  const path = join(freeDisk.scratch, randomUUID())
  const readWithRoom = async () => {
    await freeDisk.require(FULL_MAX_BYTES)
    return await read()
  }
  try {
    const bytes = await decoders.full(readWithRoom, path)
    await store(deps, photo, rendition, bytes, (key, mediaType) => storage.move(path, key, mediaType))
  } finally {
    await rm(path, { force: true })
  }
}

/** Stores a rendition. Its bytes are recorded first: if the process dies in between, the next request records the same
 *  again. */
async function store(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  photo: StoredPhoto,
  rendition: Rendition,
  bytes: number,
  write: (key: string, mediaType: string) => Promise<void>,
): Promise<void> {
  const isInAlbum = await withAlbum(db, photo.album_id, (trx) =>
    recordRendition(trx, photo, rendition, bytes),
  )
  if (!isInAlbum) throw fileMissing()
  await put(storage, photo, rendition, write)
}

async function put(
  storage: FileStorage,
  photo: StoredPhoto,
  rendition: Rendition,
  write: (key: string, mediaType: string) => Promise<void>,
): Promise<void> {
  const key = photoKey(photo.album_id, photo.sha256, rendition)
  await write(key, mediaTypeOf(rendition, photo))
  // The album may have been erased meanwhile, and then nothing may be stored for it.
  if (!(await storage.exists(photoKey(photo.album_id, photo.sha256, 'original')))) await storage.delete(key)
}

function mediaTypeOf(rendition: Rendition, photo: StoredPhoto): string {
  const types = { thumb: THUMBNAIL_MEDIA_TYPE, preview: PREVIEW_MEDIA_TYPE, full: fullMediaType(photo) }
  return types[rendition]
}
