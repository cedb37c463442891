/** What the pages save in the browser for each other (§3). */
export interface Organiser {
  userEmail: string
  eventName: string
  /** The owner key. It gives the rights of the album's owner. */
  userAlbumId: string
  /** The album's name in its address. It is missing for albums created before this value was saved. */
  userAlbumSlug?: string
}

/** Written after an upload and read once by /upload-success. */
export interface UploadRecord {
  photoCount: number
  email: string
  /** As it was typed. */
  albumName: string
  albumSlug?: string
  /** Nothing new was uploaded, so no letter will come. */
  alreadyThere?: boolean
  /** Why the upload ended before its last photo. */
  stopped?: { reason: 'gone' | 'forbidden' | 'busy'; message: string }
  /** Files of the upload that are not in the album, each with its reason: the first of `notStoredCount`. */
  notStored?: { filename: string; message: string }[]
  notStoredCount?: number
}

export const UPLOAD_RECORD = 'uploadSuccess'
/** When the visitor's settings block storage, reads give nothing and writes are refused. */
function read(key: string): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Null when any of the three values of §3 is missing. */
export function readOrganiser(): Organiser | null {
  const userEmail = read('userEmail')
  const eventName = read('eventName')
  const userAlbumId = read('userAlbumId')
  const userAlbumSlug = read('userAlbumSlug')
  if (!userEmail || !eventName || !userAlbumId) return null
  return { userEmail, eventName, userAlbumId, ...(userAlbumSlug && { userAlbumSlug }) }
}

/** Null when it is missing or unreadable. */
export function readUploadRecord(): UploadRecord | null {
  const saved = read(UPLOAD_RECORD)
  if (!saved) return null
  try {
    const record: unknown = JSON.parse(saved)
    return isUploadRecord(record) ? record : null
  } catch {
    return null
  }
}

function isUploadRecord(value: unknown): value is UploadRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'photoCount' in value &&
    typeof value.photoCount === 'number' &&
    'email' in value &&
    typeof value.email === 'string' &&
    'albumName' in value &&
    typeof value.albumName === 'string'
  )
}
