/** What the pages save in the browser for each other (§3). */
export interface Organiser {
  userEmail: string
  eventName: string
  /** The owner key: whoever holds it may upload to the album. */
  userAlbumId: string
}

/** Written after an upload and read once by /upload-success. */
export interface UploadRecord {
  photoCount: number
  email: string
  albumName: string
  /** Files of the upload that are not in the album, each with its reason. */
  notStored?: { filename: string; message: string }[]
}

const UPLOAD_RECORD = 'uploadSuccess'
/** More reasons than this would not fit into the browser's storage, and would help nobody. */
const NOT_STORED_KEPT = 200

/** When the visitor's settings block storage, reads give nothing and writes are refused. */
function read(key: string): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch {
    return null
  }
}

export function saveOrganiser(organiser: Organiser): void {
  for (const [key, value] of Object.entries(organiser)) window.localStorage.setItem(key, value)
}

/** Null when any of the three values is missing. */
export function readOrganiser(): Organiser | null {
  const userEmail = read('userEmail')
  const eventName = read('eventName')
  const userAlbumId = read('userAlbumId')
  return userEmail && eventName && userAlbumId ? { userEmail, eventName, userAlbumId } : null
}

export function saveUploadRecord(record: UploadRecord): void {
  const notStored = record.notStored?.slice(0, NOT_STORED_KEPT)
  window.localStorage.setItem(UPLOAD_RECORD, JSON.stringify({ ...record, notStored }))
}

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

export function forgetUploadRecord(): void {
  window.localStorage.removeItem(UPLOAD_RECORD)
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
