import type { Reason } from '../../../src/contract/reasons.ts'
import { upload as texts } from '../../../src/texts/english.ts'
import { type NotStored, type Organiser, savedAlbum, type UploadRecord } from '../../lib/saved-values.ts'
import type { BlockedFile } from './files.ts'
import type { UploadResult } from './transfer.ts'

/** The end of an upload. */
export interface EndedUpload {
  /** Of the photos that were sent. */
  result: UploadResult
  /** Photos of the selection that this browser had uploaded before. They were not sent again. */
  known: number
}

/** §4: at least one photo uploaded is success. A selection that is in the album already is success, too. */
export function isSuccess({ result, known }: EndedUpload): boolean {
  return result.successful > 0 || (known > 0 && result.failed === 0 && !result.stopped)
}

/** Whether the upload added nothing new, so that the owner gets no letter about it. */
export function isAlreadyThere(upload: EndedUpload): boolean {
  return newPhotos(upload) === 0
}

/** Photos of the selection that are in the album. */
export function photosInAlbum({ result, known }: EndedUpload): number {
  return known + result.successful
}

/** Photos of the selection that are new in the album. Those that an earlier attempt may have brought count as new. */
export function newPhotos({ result }: EndedUpload): number {
  return result.files.filter(({ status }) => status === 'stored').length + result.maybeNew
}

/** Photos of the selection that were in the album before. */
export function photosThereBefore(upload: EndedUpload): number {
  return photosInAlbum(upload) - newPhotos(upload)
}

/** Files that are not in the album, each with its reason. */
export function notStored({ files }: UploadResult): NotStored[] {
  return files.flatMap(({ filename, status, message = texts.refused, reason }) =>
    status === 'refused' ? [{ filename, message, ...(reason && { reason }) }] : [],
  )
}

/** Photos that are in the album although something is wrong with them, each with what it is. */
export function storedWithNote({ files }: UploadResult): { filename: string; message: string }[] {
  return files.flatMap(({ status, filename, message }) =>
    status === 'stored' && message ? [{ filename, message }] : [],
  )
}

const FULL: Reason = 'album_full'

/** Why photos were refused for which the album has no place; undefined when there are none. */
export function whyFull(files: readonly NotStored[]): string | undefined {
  return files.find(({ reason }) => reason === FULL)?.message
}

/** What /upload-success shows. */
export function recordOf(
  upload: EndedUpload,
  organiser: Organiser,
  blocked: readonly BlockedFile[],
): UploadRecord {
  const { stopped } = upload.result
  const refused = notStored(upload.result)
  // A photo that could not be made smaller is in both lists.
  const listed = new Set(refused.map(({ filename, message }) => JSON.stringify([filename, message])))
  // The page has learned both since it was opened.
  const { userEmail, userAlbumSlug: albumSlug } = savedAlbum(organiser)
  return {
    photoCount: photosInAlbum(upload),
    thereBefore: photosThereBefore(upload),
    email: userEmail,
    albumName: organiser.eventName,
    ...(albumSlug && { albumSlug }),
    alreadyThere: isAlreadyThere(upload),
    ...(stopped && { stopped: { reason: stopped.reason, message: stopped.message } }),
    notStored: refused,
    blocked: blocked
      .filter(({ file, reason }) => !listed.has(JSON.stringify([file.name, reason])))
      .map(({ file, reason }) => ({ filename: file.name, message: reason })),
  }
}
