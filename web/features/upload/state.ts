/** The state of /bulk-upload (§4), and what visitors read about it. Nothing here knows the browser's page. */
import type { Reason } from '../../../src/contract/reasons.ts'
import { units } from '../../../src/texts/english/common.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import { formatBytes } from '../../lib/format.ts'
import type { NotStored, UploadRecord } from '../../lib/persisted.ts'
import { timeLeft } from '../../lib/time-left.ts'
import type { ToastContent } from '../../ui/toast-store.ts'
import { refusedFile, startOf, type Transfer } from './engine.ts'
import { type BlockedFile, eachOnce, type Preparing } from './files.ts'

interface Chosen {
  readonly photos: readonly File[]
  readonly blocked: readonly BlockedFile[]
}

export interface Uploading {
  phase: 'uploading'
  transfer: Transfer
  preparing: Preparing | null
  /** When the first photo was sent, or the first one after a wait, in ms of Date.now(), and the bytes sent by then. */
  since?: { at: number; bytes: number } | undefined
  /** The time of the transfer. */
  at: number
}

export type Phase =
  | { phase: 'idle' }
  | Uploading
  | { phase: 'success'; ended: EndedUpload }
  | { phase: 'error'; ended: EndedUpload | null }

export type UploadState = Chosen & Phase

export type UploadEvent =
  | { type: 'chosen'; photos: readonly File[] }
  | { type: 'removed'; photos: readonly File[] }
  | { type: 'blocked'; files: readonly BlockedFile[] }
  | { type: 'blocked dismissed' }
  /** `missing`: the photos that this browser has not uploaded before. */
  | { type: 'begun'; photos: readonly File[]; missing: readonly File[] }
  /** `at`: ms of Date.now(). */
  | { type: 'moved'; transfer: Transfer; at: number }
  | { type: 'preparing'; preparing: Preparing | null }
  | { type: 'left' }
  /** Null when the upload broke off unexpectedly. */
  | { type: 'ended'; ended: EndedUpload | null }

export const NOTHING_CHOSEN: UploadState = { phase: 'idle', photos: [], blocked: [] }

export function reduce(state: UploadState, event: UploadEvent): UploadState {
  const { photos, blocked } = state
  switch (event.type) {
    case 'chosen':
      // The visitor has begun to upload others while the browser was still reading these.
      if (state.phase === 'uploading') return state
      return { phase: 'idle', photos: eachOnce([...photos, ...event.photos]), blocked }
    case 'removed':
      return { phase: 'idle', photos: without(photos, event.photos), blocked }
    case 'blocked': {
      const files = event.files.map(({ file }) => file)
      return { ...state, photos: without(photos, files), blocked: eachOnce([...blocked, ...event.files]) }
    }
    case 'blocked dismissed':
      return { ...state, blocked: [] }
    case 'begun':
      return {
        phase: 'uploading',
        photos: event.photos,
        blocked: blocked.filter(({ file }) => !event.photos.includes(file)),
        transfer: startOf(event.missing),
        preparing: null,
        at: 0,
      }
    case 'moved': {
      if (state.phase !== 'uploading') return state
      const { transfer, at } = event
      // The time in which nothing can be sent does not count for the pace.
      const since = transfer.waiting ? undefined : (state.since ?? { at, bytes: transfer.bytesSent })
      return { ...state, transfer, at, since }
    }
    case 'preparing':
      return state.phase === 'uploading' ? { ...state, preparing: event.preparing } : state
    case 'left':
      return { phase: 'idle', photos, blocked }
    case 'ended': {
      const { ended } = event
      return ended && isSuccess(ended)
        ? { phase: 'success', photos, blocked, ended }
        : { phase: 'error', photos, blocked, ended }
    }
  }
}

function without(photos: readonly File[], out: readonly File[]): File[] {
  const gone = new Set(out)
  return photos.filter((photo) => !gone.has(photo))
}

/** Ms after which there is a pace. */
const PACE_AFTER_MS = 3_000

/** '2.4 MB/s · about 3 minutes left'.
 *  @returns null for the first seconds, and while nothing is sent */
export function paceText({ transfer: { bytesSent, bytesTotal }, since, at }: Uploading): string | null {
  if (!since || at - since.at < PACE_AFTER_MS || bytesSent <= since.bytes) return null
  const perSecond = ((bytesSent - since.bytes) / (at - since.at)) * 1000
  return texts.pace(units.perSecond(formatBytes(perSecond)), timeLeft((bytesTotal - bytesSent) / perSecond))
}

/** What a screen reader says about an upload. It changes ten times at most, however long the upload takes. */
export function milestone({ files, photosTotal }: Transfer): string {
  const tenths = Math.floor((files.length / photosTotal) * 10)
  return tenths === 0 ? texts.uploading : texts.uploaded(tenths * 10)
}

/** What has become of a selection. */
export interface EndedUpload extends Pick<UploadRecord, 'photoCount' | 'thereBefore' | 'stopped'> {
  /** Photos of the upload that are in the album. */
  successful: number
  retriedBatches: number
  /** Photos that were refused, got no answer, or cannot be read or made smaller. */
  notStored: NotStored[]
}

const FULL: Reason = 'album_full'

/** @param known photos of the selection that this browser had uploaded before. They were not sent again. */
export function endOf({ files, open, retriedBatches, stopped }: Transfer, known: number): EndedUpload {
  const unsent = open.flatMap(({ photos, failure = texts.notSent }) =>
    photos.map((photo) => refusedFile(photo, failure)),
  )
  const all = [...files, ...unsent]
  const notStored = all.filter(({ status }) => status === 'refused')
  const successful = all.length - notStored.length
  const stored = all.filter(({ status }) => status === 'stored').length
  const full = notStored.find(({ reason }) => reason === FULL)
  const why = stopped ?? (full && { reason: 'full', message: `${full.message}.` })
  return {
    photoCount: known + successful,
    thereBefore: known + successful - stored,
    ...(why && { stopped: why }),
    successful,
    retriedBatches,
    notStored: notStored.map(({ filename, message = texts.refused }) => ({ filename, message })),
  }
}

/** §4: at least one photo uploaded is success. A selection that is in the album already is success, too. */
export function isSuccess({ successful, photoCount, notStored, stopped }: EndedUpload): boolean {
  return successful > 0 || (photoCount > 0 && notStored.length === 0 && !stopped)
}

/** Nothing new was added, so that the owner gets no letter about it. */
export const isAlreadyThere = (ended: EndedUpload) => ended.photoCount === ended.thereBefore

const failure = (title: string, description: string): ToastContent => ({ title, description, tone: 'error' })

export const NO_PHOTOS_SELECTED = failure(texts.nothingSelected, texts.selectPhotos)

/** The toast at the end of an upload (§8). */
export function endToast(ended: EndedUpload): ToastContent {
  const { photoCount, successful, notStored, retriedBatches, stopped } = ended
  if (!isSuccess(ended))
    return stopped ? unexpectedFailure(stopped) : failure(texts.noneUploaded, texts.noneUploadedText)
  const failed = notStored.length
  const tone = failed === 0 ? 'success' : 'error'
  if (isAlreadyThere(ended))
    return { title: texts.alreadyThere, description: texts.alreadyThereText(photoCount), tone }
  const description =
    retriedBatches > 0
      ? texts.completedWithRetries(successful, failed, retriedBatches)
      : texts.completedText(successful, failed)
  return { title: texts.completed, description, tone }
}

export function unexpectedFailure({ message }: { message: string }): ToastContent {
  return failure(texts.failed, message || texts.failedText)
}
