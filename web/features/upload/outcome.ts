/** What has become of an upload, and what visitors read about it. */
import type { Reason } from '../../../src/contract/reasons.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import { savedAlbum } from '../../lib/own-albums.ts'
import type { NotStored, Organiser, UploadRecord } from '../../lib/persisted.ts'
import type { ToastContent } from '../../ui/toast-store.ts'
import type { Transfer } from './engine.ts'
import type { BlockedFile } from './files.ts'

export type EndedUpload = ReturnType<typeof endOf>

/** What has become of a selection.
 *  @param known photos of the selection that this browser had uploaded before. They were not sent again. */
export function endOf({ files, retriedBatches, unsent, refusedInFront, stopped }: Transfer, known: number) {
  const stored = files.filter(({ status }) => status === 'stored')
  const missing = files.flatMap(({ filename, status, message = texts.refused, reason }): NotStored[] =>
    status === 'refused' ? [{ filename, message, ...(reason && { reason }) }] : [],
  )
  const successful = files.length - missing.length
  return {
    retriedBatches,
    unsent,
    refusedInFront,
    stopped,
    successful,
    /** Photos that were refused, got no answer, or cannot be read or made smaller. */
    failed: missing.length,
    /** §4: at least one photo uploaded is success. A selection that is in the album already is success, too. */
    isSuccess: successful > 0 || (known > 0 && missing.length === 0 && !stopped),
    /** Photos of the selection that are in the album. */
    inAlbum: known + successful,
    /** Those that were there before. */
    before: known + successful - stored.length,
    /** Nothing new was added, so that the owner gets no letter about it. */
    alreadyThere: stored.length === 0,
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
  const { inAlbum, before, alreadyThere, missing, stopped } = upload
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

const failure = (title: string, description: string): ToastContent => ({ title, description, tone: 'error' })

export const NO_PHOTOS_SELECTED = failure(texts.nothingSelected, texts.selectPhotos)

/** The toast at the end of an upload (§8). */
export function endToast(upload: EndedUpload): ToastContent {
  const { isSuccess, alreadyThere, inAlbum, successful, failed, retriedBatches, stopped } = upload
  if (!isSuccess)
    return stopped ? unexpectedFailure(stopped) : failure(texts.noneUploaded, texts.noneUploadedText)
  const tone = failed === 0 ? 'success' : 'error'
  if (alreadyThere) {
    const description =
      failed > 0 ? texts.alreadyThereAndFailed(inAlbum, failed) : texts.alreadyThereText(inAlbum)
    return { title: texts.alreadyThere, description, tone }
  }
  const description =
    retriedBatches > 0
      ? texts.completedWithRetries(successful, failed, retriedBatches)
      : texts.completedText(successful, failed)
  return { title: texts.completed, description, tone }
}

/** Why an upload failed, for its error card (§8). Files that the service has refused would be refused again. */
export function whyFailed({ stopped, refusedInFront, unsent, missing }: EndedUpload): string {
  if (stopped) return stopped.message
  if (refusedInFront) return `${refusedInFront}.`
  if (unsent > 0) return texts.tryAgain
  const [reason, another] = new Set(missing.map(({ message }) => message.replace(/\.$/, '')))
  return reason === undefined || another !== undefined ? texts.noneUsable : `${reason}.`
}

export function unexpectedFailure(error: unknown): ToastContent {
  return failure(texts.failed, (error instanceof Error && error.message) || texts.failedText)
}
