import { PHOTO_MAX_BYTES } from '../../../src/contract/limits.ts'
import { failures } from '../../../src/texts/english/common.ts'
import { shrinking as texts, upload } from '../../../src/texts/english/upload.ts'
import { RequestFailure } from '../../lib/failure.ts'
import { isHeic } from '../photos/picture-type.ts'
import type { ShrinkAnswer } from './shrink-worker.ts'

/** Whether the service would refuse the photo as it is. */
export function needsShrinking(photo: File): boolean {
  return photo.size > PHOTO_MAX_BYTES || isHeic(photo)
}

/** Whether this browser can make photos smaller at all. */
export function canShrink(): boolean {
  return typeof Worker === 'function' && typeof OffscreenCanvas === 'function'
}

/** Whether this browser can open this HEIC photo. Safari can. */
export async function opensHeic(photo: File): Promise<boolean> {
  const picture = await createImageBitmap(photo, { resizeWidth: 16 }).catch(() => null)
  picture?.close()
  return picture !== null
}

/** Gives a photo as a JPEG that the service takes, with the original's name and date; or, for the visitor, why it cannot be
 *  made smaller.
 *  @throws RequestFailure when the worker does not load; the signal's reason when it is aborted. */
export type Shrink = (photo: File) => Promise<File | string>

/** Makes photos smaller in a worker, which starts with the first photo and ends with the signal. The caller waits
 *  for each photo before it passes the next one: the worker holds one decoded picture at a time. */
export function createShrink(signal: AbortSignal): Shrink {
  let worker: Worker | null = null
  const end = () => {
    worker?.terminate()
    worker = null
  }
  signal.addEventListener('abort', end)

  return async (photo) => {
    signal.throwIfAborted()
    const isFirst = worker === null
    worker ??= new Worker(new URL('./shrink-worker.ts', import.meta.url), { type: 'module' })
    const answer = await askWorker(worker, photo, signal)
    if (answer instanceof Blob) return jpegFile(answer, photo)
    if (answer) return texts[answer]
    end()
    if (isFirst) throw new RequestFailure(failures.partNotLoaded, 0)
    return texts.tooLittleMemory
  }
}

/** @returns null when the worker has broken */
function askWorker(worker: Worker, photo: File, signal: AbortSignal): Promise<ShrinkAnswer | null> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<ShrinkAnswer>) => resolve(data)
    worker.onerror = (event) => {
      event.preventDefault()
      resolve(null)
    }
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.postMessage(photo)
  })
}

function jpegFile(content: Blob, { name, lastModified }: File): File {
  const jpegName = /\.jpe?g$/i.test(name) ? name : `${name.replace(/\.[^.]*$/, '')}.jpg`
  return new File([content], jpegName, { type: 'image/jpeg', lastModified })
}

/** Gives the file to send for each photo of a batch, in the same order, or why it cannot be sent.
 *  @param next the photos of the batch after it, which are made smaller while the first batch is sent
 *  @throws what Shrink throws */
export type Prepare = (batch: readonly File[], next: readonly File[]) => Promise<(File | string)[]>

/** The photo that is being made smaller, of all that have to be. Numbers count from 1. */
export interface Preparing {
  number: number
  total: number
}

/** Photos are made smaller one after another. Only the files of the last two batches are kept: 150 MB at most.
 *  @param photos all photos of the upload
 *  @param onPreparing called before each photo that is made smaller, and with null when none is waiting */
export function createPrepare(
  photos: readonly File[],
  shrink: Shrink,
  onPreparing: (preparing: Preparing | null) => void,
): Prepare {
  const large = photos.filter(needsShrinking)
  const files = new Map<File, Promise<File | string>>()
  let last: Promise<unknown> = Promise.resolve()

  function start(photo: File): void {
    if (!needsShrinking(photo) || files.has(photo)) return
    const file = last.then(() => {
      onPreparing({ number: large.indexOf(photo) + 1, total: large.length })
      return shrink(photo)
    })
    files.set(photo, file)
    // It was not the photo's fault, so the next call tries again.
    const settled = file
      .catch(() => files.delete(photo))
      .then(() => {
        if (last === settled) onPreparing(null)
      })
    last = settled
  }

  async function prepared(photo: File): Promise<File | string> {
    const file = (await files.get(photo)) ?? photo
    // What is gone from the disk cannot be opened either.
    return (await isReadable(typeof file === 'string' ? photo : file)) ? file : upload.unreadable
  }

  return (batch, next) => {
    for (const photo of files.keys()) if (!batch.includes(photo) && !next.includes(photo)) files.delete(photo)
    for (const photo of [...batch, ...next]) start(photo)
    return Promise.all(batch.map(prepared))
  }
}

/** Whether a chosen file can still be read as it was. A browser keeps no copy of it. Chromium and WebKit refuse to read
 *  a file that was moved or changed since, or whose disk was ejected. Gecko refuses only a file that is missing
 *  (https://github.com/w3c/FileAPI/issues/47). */
function isReadable(photo: File): Promise<boolean> {
  return photo
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
}
