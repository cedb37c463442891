/** The files that an organiser chooses: which of them are photos, and how they become what the service takes. */
import { fromEvent } from 'file-selector'
import { plainFilename } from '../../../src/contract/file-names.ts'
import { PHOTO_MAX_BYTES } from '../../../src/contract/limits.ts'
import { ONLY_JPEG_AND_PNG, PHOTO_TOO_LARGE } from '../../../src/contract/wording.ts'
import { failures } from '../../../src/texts/english/common.ts'
import { shrinking, blockedFiles as texts, upload } from '../../../src/texts/english/upload.ts'
import { RequestFailure } from '../../lib/failure.ts'
import { identityKey } from '../own-albums/upload-history.ts'
import type { ShrinkAnswer } from './shrink-worker.ts'

/** The types that the file dialog offers and the drop area takes (§5). */
export const PHOTO_TYPES = { 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': ['.png'] }

/** A file that react-dropzone refused. */
export interface Rejection {
  file: File
  errors: readonly { code: string }[]
}

/** A chosen file that is not uploaded, and why. */
export interface BlockedFile {
  file: File
  reason: string
  /** A photo of which this browser can make a copy that the service takes. */
  isShrinkable?: boolean
}

/** Whether a file is a photo in the iPhone's own format, by its name or type. A type that says another picture is right. */
export function isHeic({ name, type }: { name: string; type: string }): boolean {
  if (/^image\/(jpeg|png|gif|webp)$/.test(type)) return false
  return /\.hei[cf]$/i.test(name) || /^image\/hei[cf]/.test(type)
}

/** Why files are blocked. When both type and size are wrong, the reason is the type. Whether this browser can open HEIC is
 *  found out by opening the first HEIC photo. */
export async function blockedFiles(rejected: readonly Rejection[]): Promise<BlockedFile[]> {
  const heic = canShrink() ? rejected.find(({ file }) => isHeic(file)) : undefined
  const canOpenHeic = heic !== undefined && (await opensHeic(heic.file))
  return rejected.map(({ file, errors }) => {
    const codes = errors.map((error) => error.code)
    if (codes.includes('file-invalid-type'))
      return { file, reason: ONLY_JPEG_AND_PNG, isShrinkable: canOpenHeic && isHeic(file) }
    if (codes.includes('file-too-large')) return { file, reason: PHOTO_TOO_LARGE, isShrinkable: canShrink() }
    return { file, reason: texts.invalid }
  })
}

const NAMED = 3

/** The toast about blocked files: the first three by name, the rest as a number (§5). */
export function blockedToast(blocked: readonly BlockedFile[]): { title: string; description: string } {
  const lines = blocked.slice(0, NAMED).map(({ file, reason }) => `${plainFilename(file.name)}: ${reason}`)
  const rest = blocked.length - NAMED
  if (rest > 0) lines.push(texts.more(rest))
  return { title: texts.title(blocked.length), description: lines.join('\n') }
}

/** A file that is in a list twice (same path, size and date) stays as the later one: the former may have been moved since it
 *  was chosen. */
export function eachOnce<One extends File | BlockedFile>(list: readonly One[]): One[] {
  const keyOf = (one: One) => identityKey(one instanceof File ? one : one.file)
  return [...new Map(list.map((one) => [keyOf(one), one])).values()]
}

/** What systems put into folders beside the photos. The second is a file of macOS about the photo whose name follows. */
const OF_THE_SYSTEM = /^(\.DS_Store|\._.+|Thumbs\.db|desktop\.ini)$/i

/** Files after which the page may do other things. */
const AT_ONCE = 100

/** Gives the files of a drop, a paste or a dialog, without those that systems hide in folders. */
export async function readFiles(event: unknown): Promise<File[]> {
  const items = await fromEvent(event)
  const files = items.filter((item) => item instanceof File).filter(({ name }) => !OF_THE_SYSTEM.test(name))
  // The browser asks the disk when a size is read for the first time: 5,000 at once freeze the page for two seconds.
  for (const [index, file] of files.entries())
    if (file.size >= 0 && index % AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve))
  return files
}

/** Whether the service would refuse the photo as it is. */
function needsShrinking(photo: File): boolean {
  return photo.size > PHOTO_MAX_BYTES || isHeic(photo)
}

/** Whether this browser can make photos smaller at all. */
function canShrink(): boolean {
  return typeof Worker === 'function' && typeof OffscreenCanvas === 'function'
}

/** Whether this browser can open this HEIC photo. Safari can. */
async function opensHeic(photo: File): Promise<boolean> {
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
  let worker: Worker | undefined
  const end = () => {
    worker?.terminate()
    worker = undefined
  }
  signal.addEventListener('abort', end)

  return async (photo) => {
    signal.throwIfAborted()
    const isFirst = worker === undefined
    worker ??= new Worker(new URL('./shrink-worker.ts', import.meta.url), { type: 'module' })
    const answer = await askWorker(worker, photo, signal)
    if (answer instanceof Blob) return jpegFile(answer, photo)
    if (answer) return shrinking[answer]
    end()
    if (isFirst) throw new RequestFailure(failures.partNotLoaded, 0)
    return shrinking.tooLittleMemory
  }
}

/** @returns undefined when the worker has broken */
function askWorker(worker: Worker, photo: File, signal: AbortSignal): Promise<ShrinkAnswer | undefined> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<ShrinkAnswer>) => resolve(data)
    worker.onerror = (event) => {
      event.preventDefault()
      resolve(undefined)
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

  return (batch, next) => {
    const wanted = [...batch, ...next]
    for (const photo of files.keys()) if (!wanted.includes(photo)) files.delete(photo)
    for (const photo of wanted) if (needsShrinking(photo) && !files.has(photo)) start(photo)
    return Promise.all(
      batch.map(async (photo) => {
        const file = (await files.get(photo)) ?? photo
        // What is gone from the disk cannot be opened either.
        return (await isReadable(typeof file === 'string' ? photo : file)) ? file : upload.unreadable
      }),
    )
  }
}

/** Whether a chosen file can still be read as it was. A browser keeps no copy of it. Chromium and WebKit refuse to read
 *  a file that was moved or changed since, or whose disk was ejected. Gecko refuses only a file that is missing
 *  (https://github.com/w3c/FileAPI/issues/47). */
const isReadable = (photo: File): Promise<boolean> =>
  photo
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
