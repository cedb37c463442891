import type { FileVerdict } from '../../../src/contract/photos.ts'
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

/** Whether the upload added nothing new, so that the owner gets no letter about it. After a retry this is not known: a
 *  photo may have been stored by the first attempt. */
export function isAlreadyThere({ result }: EndedUpload): boolean {
  return result.retriedBatches === 0 && !result.files.some(({ status }) => status === 'stored')
}

/** Photos of the selection that are in the album. */
export function photosInAlbum({ result, known }: EndedUpload): number {
  return known + result.successful
}

/** Photos of the selection that were in the album before. */
export function photosThereBefore({ result, known }: EndedUpload): number {
  return known + result.files.filter(({ status }) => status === 'duplicate').length
}

/** Files that are not in the album, each with its reason. */
export function notStored({ files }: UploadResult): { filename: string; message: string }[] {
  return files.filter(isRefused).map(({ filename, message }) => ({
    filename,
    message: message ?? texts.refused,
  }))
}

function isRefused({ status }: FileVerdict): boolean {
  return status === 'refused'
}
