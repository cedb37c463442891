/** Writes what saved-values.ts reads. The landing page only reads, so writing is in its own file. */
import { KEPT_ALERT, KEPT_SEARCH, REMEMBERED } from './guest-names.ts'
import {
  type Organiser,
  OWN_ALBUMS,
  readOrganiser,
  readOwnAlbums,
  UPLOAD_RECORD,
  type UploadRecord,
} from './saved-values.ts'

/** More reasons than this would not fit into the browser's storage. */
const NOT_STORED_KEPT = 200

/** The values of the album in hand. */
const IN_HAND = ['userEmail', 'eventName', 'userAlbumId', 'userAlbumSlug'] as const

/** Adds an album to those of this browser, or replaces what is saved of it, and makes it the album in hand.
 *  @returns false when the browser's settings block storage, or it is full. Then nothing has changed. */
export function keepAlbum(album: Organiser): boolean {
  return saveAlbums([album, ...readOwnAlbums().filter((other) => !isSame(other, album))], album)
}

/** Whether an album could be saved now. One whose key the browser does not save is lost. */
export function canKeepAlbum(): boolean {
  const name = 'probe'
  try {
    window.localStorage.setItem(name, name.repeat(200))
    window.localStorage.removeItem(name)
    return true
  } catch {
    return false
  }
}

/** Removes the owner key of an album from this browser, and what was saved with it. Other albums stay. */
export function forgetAlbum(ownerKey: string): void {
  const left = readOwnAlbums().filter(({ userAlbumId }) => userAlbumId !== ownerKey)
  const inHand = readOrganiser()
  saveAlbums(left, inHand?.userAlbumId === ownerKey ? null : inHand)
}

/** Removes the owner keys of all albums from this browser. */
export function forgetAllAlbums(): void {
  saveAlbums([], null)
}

/** An album whose owner key was renewed replaces the one with the former key. */
function isSame(one: Organiser, other: Organiser): boolean {
  if (one.userAlbumId === other.userAlbumId) return true
  return one.userAlbumSlug !== undefined && one.userAlbumSlug === other.userAlbumSlug
}

/** @returns false when nothing could be saved */
function saveAlbums(albums: Organiser[], inHand: Organiser | null): boolean {
  const values: [string, string | undefined][] = [
    ...IN_HAND.map((name): [string, string | undefined] => [name, inHand?.[name]]),
    [OWN_ALBUMS, albums.length > 0 ? JSON.stringify(albums) : undefined],
  ]
  let former: typeof values = []
  try {
    former = values.map(([name]) => [name, window.localStorage.getItem(name) ?? undefined])
    write(values)
    return true
  } catch {
    restore(former)
    return false
  }
}

function write(values: [string, string | undefined][]): void {
  for (const [name, value] of values)
    if (value === undefined) window.localStorage.removeItem(name)
    else window.localStorage.setItem(name, value)
}

/** Removes all values first, so that there is room for what was there before. */
function restore(former: [string, string | undefined][]): void {
  try {
    for (const [name] of former) window.localStorage.removeItem(name)
    write(former)
  } catch {
    // Storage is blocked, so nothing was written.
  }
}

export function saveUploadRecord(record: UploadRecord): void {
  const { notStored, blocked } = record
  const kept = {
    ...record,
    notStored: notStored?.slice(0, NOT_STORED_KEPT),
    notStoredCount: notStored?.length,
    blocked: blocked?.slice(0, NOT_STORED_KEPT),
    blockedCount: blocked?.length,
  }
  window.localStorage.setItem(UPLOAD_RECORD, JSON.stringify(kept))
}

export function forgetUploadRecord(): void {
  window.localStorage.removeItem(UPLOAD_RECORD)
}

/** Removes what this browser and this tab keep for the guest of an album; of all albums without a name. */
export function forgetGuest(albumName?: string): void {
  const isTheirs = (key: string) =>
    [REMEMBERED, KEPT_ALERT, KEPT_SEARCH].some((kept) =>
      albumName === undefined ? key.startsWith(kept) : key === kept + albumName,
    )
  try {
    for (const storage of [window.localStorage, window.sessionStorage])
      for (const key of Object.keys(storage).filter(isTheirs)) storage.removeItem(key)
  } catch {
    // The browser's settings block storage, so nothing was kept.
  }
}
