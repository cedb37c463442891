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

/** @returns false when the list does not fit. Then nothing has changed. An album in hand that does not fit is in the list
 *  all the same. */
function save(albums: Organiser[], inHand: Organiser | null): boolean {
  if (albums.length === 0) KEPT.ownAlbums.forget()
  else if (!KEPT.ownAlbums.write(albums)) return false
  for (const name of IN_HAND) KEPT[name].forget()
  for (const name of IN_HAND) if (inHand?.[name]) KEPT[name].write(inHand[name])
  return true
}
