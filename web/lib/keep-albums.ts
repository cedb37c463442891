/** Changes which albums a browser has the owner keys of. Apart from reading them, which every page does. */
import { IN_HAND, readInHand, readOwnAlbums } from './own-albums.ts'
import { KEPT, type Organiser } from './persisted.ts'

/** Adds an album to those of this browser, or replaces what is saved of it, and makes it the album in hand.
 *  @returns false when the browser's settings block storage, or it is full. Then nothing has changed. */
export function keepAlbum(album: Organiser): boolean {
  return save([album, ...readOwnAlbums().filter((other) => !isSame(other, album))], album)
}

/** Removes the owner key of an album from this browser, and what was saved with it. Other albums stay. */
export function forgetAlbum(ownerKey: string): void {
  const inHand = readInHand()
  const left = readOwnAlbums().filter(({ userAlbumId }) => userAlbumId !== ownerKey)
  save(left, inHand?.userAlbumId === ownerKey ? null : inHand)
}

/** Removes the owner keys of all albums from this browser. */
export function forgetAllAlbums(): void {
  save([], null)
}

/** An album whose owner key was renewed replaces the one with the former key. */
function isSame(one: Organiser, other: Organiser): boolean {
  if (one.userAlbumId === other.userAlbumId) return true
  return one.userAlbumSlug !== undefined && one.userAlbumSlug === other.userAlbumSlug
}

/** @returns false when it does not fit. Then what was there before is there again. */
function save(albums: Organiser[], inHand: Organiser | null): boolean {
  const former = { albums: KEPT.ownAlbums.read() ?? [], inHand: readInHand() }
  if (write(albums, inHand)) return true
  // So that there is room.
  write([], null)
  write(former.albums, former.inHand)
  return false
}

function write(albums: Organiser[], inHand: Organiser | null): boolean {
  if (albums.length === 0) KEPT.ownAlbums.forget()
  else if (!KEPT.ownAlbums.write(albums)) return false
  return IN_HAND.every((name) => {
    const value = inHand?.[name]
    if (value !== undefined) return KEPT[name].write(value)
    KEPT[name].forget()
    return true
  })
}
