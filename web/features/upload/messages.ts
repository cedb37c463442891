import { countOf, formatNumber } from '../../lib/format.ts'
import type { ToastContent } from '../../ui/toast-store.ts'
import type { RunCount } from './ledger.ts'
import type { Waiting } from './patience.ts'
import type { UploadResult } from './upload-state.ts'

/** The toasts of §8 for an upload. "Failed" counts photos: those the service refused one by one in a batch
 *  that it answered, and all photos of a batch whose request failed twice. */

export const NO_PHOTOS_SELECTED: ToastContent = {
  title: 'No photos selected',
  description: 'Please select photos to upload',
  tone: 'error',
}

export const RETRYING: ToastContent = { title: 'Retrying failed batches' }

export function batchFailed(batch: number, message: string): ToastContent {
  return {
    title: `Batch ${batch} failed`,
    description: `Error: ${message.replace(/\.$/, '')}. Will retry after other batches complete.`,
    tone: 'error',
  }
}

export function batchRetried(batch: number, photos: number): ToastContent {
  return {
    title: `Batch ${batch} retry successful!`,
    description: `${countOf(photos, 'photo')} uploaded on retry`,
    tone: 'success',
  }
}

export function batchRetryFailed(batch: number, photos: number): ToastContent {
  return {
    title: `Batch ${batch} retry failed`,
    description: `${countOf(photos, 'photo')} still failed after retry`,
    tone: 'error',
  }
}

export function completed({ successful, failed, retriedBatches }: UploadResult): ToastContent {
  if (successful === 0)
    return {
      title: 'Upload failed',
      description: 'No photos were uploaded successfully. Please try again.',
      tone: 'error',
    }
  const batches = retriedBatches === 1 ? 'batch' : 'batches'
  const retried = retriedBatches > 0 ? ` (including ${retriedBatches} retried ${batches})` : ''
  return {
    title: 'Upload completed!',
    description: `${countOf(successful, 'photo')} uploaded successfully${retried}, ${failed} failed`,
    tone: failed === 0 ? 'success' : 'error',
  }
}

/** What the ledger knows of a selection, before it is sent. */
export function alreadyUploaded(known: number, selected: number): string {
  if (known === selected)
    return selected === 1
      ? 'This photo is already uploaded.'
      : `All ${formatNumber(selected)} photos are already uploaded.`
  const verb = known === 1 ? 'is' : 'are'
  return `${formatNumber(known)} of ${formatNumber(selected)} photos ${verb} already uploaded; sending the other ${formatNumber(selected - known)}`
}

export function lastUploadStopped({ done, total }: RunCount): { title: string; children: string } {
  return {
    title: `The last upload stopped at ${formatNumber(done)} of ${formatNumber(total)} photos`,
    children: 'Choose the same photos or folder again: only what is missing will be sent.',
  }
}

export function waitingText(waiting: Waiting): string {
  if (waiting.reason === 'offline')
    return 'You are offline. The upload goes on by itself when the connection is back.'
  return `The service asks to wait. The upload goes on by itself after ${duration(waiting.seconds)}.`
}

function duration(seconds: number): string {
  return seconds < 120 ? countOf(seconds, 'second') : countOf(Math.ceil(seconds / 60), 'minute')
}

export function unexpectedFailure(error: unknown): ToastContent {
  return {
    title: 'Upload Failed',
    description: (error instanceof Error && error.message) || 'Please try again',
    tone: 'error',
  }
}
