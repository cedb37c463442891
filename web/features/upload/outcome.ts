/** What has become of an upload, and what visitors read about it. */
import type { Reason } from '../../../src/contract/reasons.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import { savedAlbum } from '../../lib/own-albums.ts'
import type { NotStored, Organiser, UploadRecord } from '../../lib/persisted.ts'
import type { ToastContent } from '../../ui/toast-store.ts'
import type { Announcement } from './engine.ts'
import type { BlockedFile } from './files.ts'
import type { UploadResult } from './transfer.ts'

export type EndedUpload = ReturnType<typeof endOf>

/** What has become of a selection.
 *  @param result of the photos that were sent
 *  @param known photos of the selection that this browser had uploaded before. They were not sent again. */
export function endOf(result: UploadResult, known: number) {
  const { files, successful, failed, maybeNew, stopped } = result
  const stored = files.filter(({ status }) => status === 'stored')
  const missing = files.flatMap(({ filename, status, message = texts.refused, reason }): NotStored[] =>
    status === 'refused' ? [{ filename, message, ...(reason && { reason }) }] : [],
  )
  const inAlbum = known + successful
  const added = stored.length + maybeNew
  return {
    result,
    /** §4: at least one photo uploaded is success. A selection that is in the album already is success, too. */
    isSuccess: successful > 0 || (known > 0 && failed === 0 && !stopped),
    /** Photos of the selection that are in the album. */
    inAlbum,
    /** Those that were there before. Those that an earlier attempt may have brought count as new. */
    before: inAlbum - added,
    added,
    /** Nothing new was added, so that the owner gets no letter about it. */
    alreadyThere: added === 0,
    /** Files that are not in the album, each with its reason. */
    missing,
    full: whyFull(missing),
    /** Photos that are in the album although something is wrong with them. */
    withNote: stored.flatMap(({ filename, message }) => (message ? [{ filename, message }] : [])),
  }
}

const FULL: Reason = 'album_full'

/** Why photos were refused for which the album has no place; undefined when there are none. */
export function whyFull(files: readonly NotStored[]): string | undefined {
  return files.find(({ reason }) => reason === FULL)?.message
}

/** More reasons than this would not fit into the browser's storage. */
const LISTED = 200

/** What /upload-success shows.
 *  @param blocked the chosen files that were not sent at all */
export function recordOf(
  upload: EndedUpload,
  organiser: Organiser,
  blocked: readonly BlockedFile[],
): UploadRecord {
  const { inAlbum, before, alreadyThere, missing, result } = upload
  const { stopped } = result
  // The page has learned both since it was opened.
  const { userEmail, userAlbumSlug: albumSlug } = savedAlbum(organiser)
  return {
    photoCount: inAlbum,
    thereBefore: before,
    email: userEmail,
    albumName: organiser.eventName,
    ...(albumSlug && { albumSlug }),
    alreadyThere,
    ...(stopped && { stopped: { reason: stopped.reason, message: stopped.message } }),
    notStored: missing.slice(0, LISTED),
    notStoredCount: missing.length,
    blocked: blocked.slice(0, LISTED).map(({ file, reason }) => ({ filename: file.name, message: reason })),
    blockedCount: blocked.length,
  }
}

/** The texts of an upload; its toasts are those of §8. "Failed" counts photos: those that the service refused one
 *  by one, those that cannot be read or made smaller, and those that got no answer. */

const toneOf = (failed: number) => (failed === 0 ? 'success' : 'error')
const failure = (title: string, description: string): ToastContent => ({ title, description, tone: 'error' })

export const NO_PHOTOS_SELECTED = failure(texts.nothingSelected, texts.selectPhotos)

/** The toast about something that happens while photos are sent. */
export function toastOf(event: Announcement): ToastContent {
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
  }
}

/** The toast at the end of an upload. */
export function endToast(upload: EndedUpload): ToastContent {
  const { result, isSuccess, alreadyThere, inAlbum } = upload
  const { failed, stopped } = result
  if (!isSuccess && stopped) return unexpectedFailure(stopped)
  if (!isSuccess || !alreadyThere) return completed(result)
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

/** Why an upload failed, for its error card (§8). Files that the service has refused would be refused again. */
export function whyFailed(upload: EndedUpload): string {
  const { stopped, refusedInFront, unsent } = upload.result
  if (stopped) return stopped.message
  if (refusedInFront) return `${refusedInFront}.`
  if (unsent.length > 0) return texts.tryAgain
  const [reason, another] = new Set(upload.missing.map(({ message }) => message))
  return reason === undefined || another !== undefined ? texts.noneUsable : `${reason}.`
}

export function unexpectedFailure(error: unknown): ToastContent {
  return failure(texts.failed, (error instanceof Error && error.message) || texts.failedText)
}
