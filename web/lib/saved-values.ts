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

const UPLOAD_RECORD = 'uploadSuccess'
/** More reasons than this would not fit into the browser's storage. */
const NOT_STORED_KEPT = 200

/** When the visitor's settings block storage, reads give nothing and writes are refused. */
function read(key: string): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch {
    return null
  }
}

export function saveOrganiser(organiser: Required<Organiser>): void {
  for (const [key, value] of Object.entries(organiser)) window.localStorage.setItem(key, value)
}

/** Forgets the owner key, and what was saved with it. */
export function forgetOrganiser(): void {
  for (const key of ['userEmail', 'eventName', 'userAlbumId', 'userAlbumSlug'])
    window.localStorage.removeItem(key)
}

export function saveAlbumSlug(slug: string): void {
  window.localStorage.setItem('userAlbumSlug', slug)
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

export function saveUploadRecord(record: UploadRecord): void {
  const notStored = record.notStored?.slice(0, NOT_STORED_KEPT)
  const notStoredCount = record.notStored?.length
  window.localStorage.setItem(UPLOAD_RECORD, JSON.stringify({ ...record, notStored, notStoredCount }))
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
