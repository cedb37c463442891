import { upload as texts } from '../../../src/texts/english/upload.ts'
import type { ToastContent } from '../../ui/toast-store.ts'
import type { RunCount } from '../own-albums/upload-history.ts'
import { type EndedUpload, summaryOf } from './ended-upload.ts'
import type { TransferEvent, UploadResult } from './transfer.ts'

/** The texts of an upload; its toasts are those of §8. "Failed" counts photos: those that the service refused one
 *  by one, those that cannot be read or made smaller, and those that got no answer. */

const toneOf = (failed: number) => (failed === 0 ? 'success' : 'error')
const failure = (title: string, description: string): ToastContent => ({ title, description, tone: 'error' })

export const NO_PHOTOS_SELECTED = failure(texts.nothingSelected, texts.selectPhotos)

/** The toast about something that happens while photos are sent. */
export function toastOf(event: TransferEvent): ToastContent | null {
  switch (event.type) {
    case 'batch failed':
      return failure(texts.batchFailed(event.number), texts.batchFailedText(event.message.replace(/\.$/, '')))
    case 'retrying':
      return { title: texts.retrying }
    case 'retried':
      return {
        title: texts.batchRetried(event.number),
        description: texts.batchRetriedText(event.photos),
        tone: 'success',
      }
    case 'retry failed':
      return failure(texts.retryFailed(event.number), texts.retryFailedText(event.photos))
    default:
      return null
  }
}

/** The toast at the end of an upload. */
export function ended(upload: EndedUpload): ToastContent {
  const { failed, stopped } = upload.result
  const { isSuccess, alreadyThere, inAlbum } = summaryOf(upload)
  if (!isSuccess) return stopped ? unexpectedFailure(stopped) : completed(upload.result)
  if (!alreadyThere) return completed(upload.result)
  return {
    title: texts.alreadyThere,
    description: failed > 0 ? texts.alreadyThereAndFailed(inAlbum, failed) : texts.alreadyThereText(inAlbum),
    tone: toneOf(failed),
  }
}

function completed({ successful, failed, retriedBatches }: UploadResult): ToastContent {
  if (successful === 0) return failure(texts.noneUploaded, texts.noneUploadedText)
  const description =
    retriedBatches > 0
      ? texts.completedWithRetries(successful, failed, retriedBatches)
      : texts.completedText(successful, failed)
  return { title: texts.completed, description, tone: toneOf(failed) }
}

/** What this browser remembers about a selection, before it is sent. Only the service knows whether it is still true. */
export function alreadyUploaded(known: number, selected: number): string {
  return known === selected ? texts.uploadedBefore(known) : texts.partlyUploadedBefore(known, selected)
}

export const lastUploadStopped = ({ done, total }: RunCount) => ({
  title: texts.lastStopped(done, total),
  children: texts.lastStoppedText,
})

/** Why an upload failed, for its error card (§8). Files that the service has refused would be refused again. */
export function whyFailed(upload: EndedUpload): string {
  const { stopped, refusedInFront, unsent } = upload.result
  if (stopped) return stopped.message
  if (refusedInFront) return `${refusedInFront}.`
  if (unsent.length > 0) return texts.tryAgain
  const [reason, another] = new Set(summaryOf(upload).missing.map(({ message }) => message))
  return reason === undefined || another !== undefined ? texts.noneUsable : `${reason}.`
}

export function unexpectedFailure(error: unknown): ToastContent {
  return failure(texts.failed, (error instanceof Error && error.message) || texts.failedText)
}
