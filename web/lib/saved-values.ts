/** What the pages save in the browser about an album of its visitor. The first three are the values of §3. */
export interface Organiser {
  userEmail: string
  eventName: string
  /** The owner key. It gives the rights of the album's owner. */
  userAlbumId: string
  /** The album's name in its address. It is missing until the service has said which album the key belongs to. */
  userAlbumSlug?: string
}

/** Written after an upload and read once by /upload-success. */
export interface UploadRecord {
  /** Photos of the selection that are in the album. */
  photoCount: number
  /** Those of them that were there before. */
  thereBefore?: number
  email: string
  /** As it was typed. */
  albumName: string
  albumSlug?: string
  /** Nothing new was uploaded, so no letter will come. */
  alreadyThere?: boolean
  /** Why the upload ended before its last photo. */
  stopped?: { reason: 'gone' | 'forbidden' | 'busy'; message: string }
  /** Files of the upload that are not in the album, each with its reason: the first of `notStoredCount`. */
  notStored?: NotStored[]
  notStoredCount?: number
  /** Chosen files that were not sent at all, each with its reason: the first of `blockedCount`. */
  blocked?: NotStored[]
  blockedCount?: number
}

export interface NotStored {
  filename: string
  message: string
  /** The service's own, for what it has refused. */
  reason?: string
}

export const UPLOAD_RECORD = 'uploadSuccess'
/** The list of all albums of this browser. The values of §3 beside it name the album in hand. */
export const OWN_ALBUMS = 'ownAlbums'

/** When the visitor's settings block storage, reads give nothing and writes are refused. */
function read(key: string): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch {
    return null
  }
}

/** An album of this browser: the one in hand, or another one by its name in the address.
 *  @returns null when the browser does not have the album's owner key */
export function readOrganiser(albumName?: string): Organiser | null {
  if (albumName === undefined) return readInHand()
  return readOwnAlbums().find(({ userAlbumSlug }) => userAlbumSlug === albumName) ?? null
}

/** All albums whose owner keys this browser has. The one that was in hand last is the first. */
export function readOwnAlbums(): Organiser[] {
  const inHand = readInHand()
  const listed = readListed()
  if (!inHand || listed.some(({ userAlbumId }) => userAlbumId === inHand.userAlbumId)) return listed
  return [inHand, ...listed]
}

/** What is saved of an album by now. */
export function savedAlbum(album: Organiser): Organiser {
  return readOwnAlbums().find(({ userAlbumId }) => userAlbumId === album.userAlbumId) ?? album
}

function readListed(): Organiser[] {
  try {
    const saved: unknown = JSON.parse(read(OWN_ALBUMS) ?? '[]')
    return Array.isArray(saved) ? saved.filter(isOrganiser) : []
  } catch {
    return []
  }
}

function isOrganiser(value: unknown): value is Organiser {
  const { userEmail, eventName, userAlbumId, userAlbumSlug = '' } = Object(value)
  return [userEmail, eventName, userAlbumId, userAlbumSlug].every((text) => typeof text === 'string')
}

/** Null when any of the three values of §3 is missing. */
function readInHand(): Organiser | null {
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
