import { upload as texts } from '../../../src/texts/english/upload.ts'
import type { ToastContent } from '../../ui/toast-store.ts'
import type { RunCount } from '../own-albums/upload-history.ts'
import { type EndedUpload, isAlreadyThere, isSuccess, notStored, photosInAlbum } from './ended-upload.ts'
import type { TransferEvent, UploadResult } from './transfer.ts'

/** The texts of an upload; its toasts are those of §8. "Failed" counts photos: those that the service refused one
 *  by one, those that cannot be read or made smaller, and those that got no answer. */

export const NO_PHOTOS_SELECTED: ToastContent = {
  title: texts.nothingSelected,
  description: texts.selectPhotos,
  tone: 'error',
}

/** The toast about something that happens while photos are sent. */
export function toastOf(event: TransferEvent): ToastContent | null {
  switch (event.type) {
    case 'batch failed':
      return {
        title: texts.batchFailed(event.number),
        description: texts.batchFailedText(event.message.replace(/\.$/, '')),
        tone: 'error',
      }
    case 'retrying':
      return { title: texts.retrying }
    case 'retried':
      return {
        title: texts.batchRetried(event.number),
        description: texts.batchRetriedText(event.photos),
        tone: 'success',
      }
    case 'retry failed':
      return {
        title: texts.retryFailed(event.number),
        description: texts.retryFailedText(event.photos),
        tone: 'error',
      }
    default:
      return null
  }
}

/** The toast at the end of an upload. */
export function ended(upload: EndedUpload): ToastContent {
  const { result } = upload
  if (!isSuccess(upload)) return result.stopped ? unexpectedFailure(result.stopped) : completed(result)
  return isAlreadyThere(upload) ? alreadyThere(upload) : completed(result)
}

function alreadyThere(upload: EndedUpload): ToastContent {
  const { failed } = upload.result
  const count = photosInAlbum(upload)
  return {
    title: texts.alreadyThere,
    description: failed > 0 ? texts.alreadyThereAndFailed(count, failed) : texts.alreadyThereText(count),
    tone: failed === 0 ? 'success' : 'error',
  }
}

function completed({ successful, failed, retriedBatches }: UploadResult): ToastContent {
  if (successful === 0)
    return {
      title: texts.noneUploaded,
      description: texts.noneUploadedText,
      tone: 'error',
    }
  return {
    title: texts.completed,
    description:
      retriedBatches > 0
        ? texts.completedWithRetries(successful, failed, retriedBatches)
        : texts.completedText(successful, failed),
    tone: failed === 0 ? 'success' : 'error',
  }
}

/** What this browser remembers about a selection, before it is sent. Only the service knows whether it is still true. */
export function alreadyUploaded(known: number, selected: number): string {
  return known === selected ? texts.uploadedBefore(known) : texts.partlyUploadedBefore(known, selected)
}

export function lastUploadStopped({ done, total }: RunCount): { title: string; children: string } {
  return {
    title: texts.lastStopped(done, total),
    children: texts.lastStoppedText,
  }
}

/** Why the service takes no photos at the moment. */
export function whyBusy({ message }: { message?: string }): string {
  return `${message ?? texts.busy}.`
}

/** Why an upload failed, for its error card (§8). Files that the service has refused would be refused again. */
export function whyFailed({ result }: EndedUpload): string {
  if (result.stopped) return result.stopped.message
  if (result.refusedInFront) return `${result.refusedInFront}.`
  if (result.unsent.length > 0) return texts.tryAgain
  const [reason, another] = new Set(notStored(result).map(({ message }) => message))
  return reason === undefined || another !== undefined ? texts.noneUsable : `${reason}.`
}

export function unexpectedFailure(error: unknown): ToastContent {
  return {
    title: texts.failed,
    description: (error instanceof Error && error.message) || texts.failedText,
    tone: 'error',
  }
}
