import { countOf, formatNumber } from '../../lib/format.ts'
import type { ToastContent } from '../../ui/toast-store.ts'
import { type EndedUpload, isAlreadyThere, isSuccess, notStored, photosInAlbum } from './ended-upload.ts'
import type { RunCount } from './ledger.ts'
import type { UploadResult } from './upload-state.ts'

/** The texts of an upload; its toasts are those of §8. "Failed" counts photos: those that the service refused one
 *  by one, those that can no longer be read, and those that got no answer. */

export const NO_PHOTOS_SELECTED: ToastContent = {
  title: 'No photos selected',
  description: 'Please select photos to upload',
  tone: 'error',
}

export const RETRYING: ToastContent = { title: 'Retrying failed batches' }

export function batchFailed(batch: number, message: string): ToastContent {
  return {
    title: `Batch ${formatNumber(batch)} failed`,
    description: `Error: ${message.replace(/\.$/, '')}. Will retry after other batches complete.`,
    tone: 'error',
  }
}

export function batchRetried(batch: number, photos: number): ToastContent {
  return {
    title: `Batch ${formatNumber(batch)} retry successful!`,
    description: `${countOf(photos, 'photo')} uploaded on retry`,
    tone: 'success',
  }
}

export function batchRetryFailed(batch: number, photos: number): ToastContent {
  return {
    title: `Batch ${formatNumber(batch)} retry failed`,
    description: `${countOf(photos, 'photo')} still failed after retry`,
    tone: 'error',
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
  return {
    title: 'Already in the album',
    description: `${alreadyInAlbum(photosInAlbum(upload))}${failed > 0 ? `, ${formatNumber(failed)} failed` : ''}`,
    tone: failed === 0 ? 'success' : 'error',
  }
}

function completed({ successful, failed, retriedBatches }: UploadResult): ToastContent {
  if (successful === 0)
    return {
      title: 'Upload failed',
      description: 'No photos were uploaded successfully. Please try again.',
      tone: 'error',
    }
  const retried = retriedBatches > 0 ? ` (including ${formatNumber(retriedBatches)} retried batches)` : ''
  return {
    title: 'Upload completed!',
    description: `${countOf(successful, 'photo')} uploaded successfully${retried}, ${formatNumber(failed)} failed`,
    tone: failed === 0 ? 'success' : 'error',
  }
}

export function alreadyInAlbum(photos: number): string {
  return `${countOf(photos, 'photo')} ${photos === 1 ? 'is' : 'are'} already in the album`
}

/** What is missing after an upload that ended early. */
export function missingPhotos(photos: number): string {
  return `${countOf(photos, 'photo')} ${photos === 1 ? 'is' : 'are'} missing`
}

/** What this browser remembers about a selection, before it is sent. Only the service knows whether it is still true. */
export function alreadyUploaded(known: number, selected: number): string {
  if (known === selected)
    return selected === 1
      ? 'This browser has uploaded this photo before.'
      : `This browser has uploaded all ${formatNumber(selected)} photos before.`
  const verb = known === 1 ? 'is' : 'are'
  return `${formatNumber(known)} of ${formatNumber(selected)} photos ${verb} already uploaded; sending the other ${formatNumber(selected - known)}`
}

export function lastUploadStopped({ done, total }: RunCount): { title: string; children: string } {
  return {
    title: `The last upload stopped at ${formatNumber(done)} of ${formatNumber(total)} photos`,
    children: 'Choose the same photos or folder again: only what is missing will be sent.',
  }
}

export const OFFLINE = 'You are offline. The upload goes on by itself when the connection is back.'

/** Why the service takes no photos at the moment. */
export function whyBusy({ message }: { message?: string }): string {
  return `${message ?? 'The service asks you to wait'}.`
}

/** Why an upload failed, for its error card (§8). Files that the service has refused would be refused again. */
export function whyFailed({ result }: EndedUpload): string {
  if (result.stopped) return result.stopped.message
  if (result.unsent.length > 0) return TRY_AGAIN
  const [reason, another] = new Set(notStored(result).map(({ message }) => message))
  return reason === undefined || another !== undefined ? 'None of these files could be used.' : `${reason}.`
}

export const TRY_AGAIN = 'Please try again or check your internet connection'

export function unexpectedFailure(error: unknown): ToastContent {
  return {
    title: 'Upload Failed',
    description: (error instanceof Error && error.message) || 'Please try again',
    tone: 'error',
  }
}
