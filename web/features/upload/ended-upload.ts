import type { FileVerdict } from '../../../src/contract/photos.ts'
import { ALBUM_FULL } from '../../../src/contract/wording.ts'
import { upload as texts } from '../../../src/texts/english.ts'
import type { UploadResult } from './upload-state.ts'

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
export function notStored({ files }: UploadResult): { filename: string; message: string }[] {
  return files.filter(isRefused).map(({ filename, message }) => ({
    filename,
    message: message ?? texts.refused,
  }))
}

/** Photos that are in the album although something is wrong with them, each with what it is. */
export function storedWithNote({ files }: UploadResult): { filename: string; message: string }[] {
  return files.flatMap(({ status, filename, message }) =>
    status === 'stored' && message ? [{ filename, message }] : [],
  )
}

/** Why photos were refused for which the album has no place; undefined when there are none. */
export function whyFull(files: readonly { message: string }[]): string | undefined {
  return files.find(({ message }) => message.startsWith(ALBUM_FULL))?.message
}

function isRefused({ status }: FileVerdict): boolean {
  return status === 'refused'
}
