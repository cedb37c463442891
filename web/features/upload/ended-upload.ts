import type { Reason } from '../../../src/contract/reasons.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import { savedAlbum } from '../../lib/own-albums.ts'
import type { NotStored, Organiser, UploadRecord } from '../../lib/persisted.ts'
import type { BlockedFile } from './files.ts'
import type { UploadResult } from './transfer.ts'

/** The end of an upload. */
export interface EndedUpload {
  /** Of the photos that were sent. */
  result: UploadResult
  /** Photos of the selection that this browser had uploaded before. They were not sent again. */
  known: number
}

/** What has become of a selection. */
export function summaryOf({ result, known }: EndedUpload) {
  const { files, successful, failed, maybeNew, stopped } = result
  const stored = files.filter(({ status }) => status === 'stored')
  const missing = files.flatMap(({ filename, status, message = texts.refused, reason }): NotStored[] =>
    status === 'refused' ? [{ filename, message, ...(reason && { reason }) }] : [],
  )
  const inAlbum = known + successful
  const added = stored.length + maybeNew
  return {
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

/** What /upload-success shows. */
export function recordOf(
  upload: EndedUpload,
  organiser: Organiser,
  blocked: readonly BlockedFile[],
): UploadRecord {
  const { stopped } = upload.result
  const { inAlbum, before, alreadyThere, missing } = summaryOf(upload)
  // A photo that could not be made smaller is in both lists.
  const listed = new Set(missing.map(({ filename, message }) => JSON.stringify([filename, message])))
  const notSent = blocked
    .filter(({ file, reason }) => !listed.has(JSON.stringify([file.name, reason])))
    .map(({ file, reason }) => ({ filename: file.name, message: reason }))
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
    blocked: notSent.slice(0, LISTED),
    blockedCount: notSent.length,
  }
}
