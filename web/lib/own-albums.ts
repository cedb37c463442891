import { KEPT, type Organiser } from './persisted.ts'

/** The album in hand, as §3 names it. */
const IN_HAND = ['userEmail', 'eventName', 'userAlbumId', 'userAlbumSlug'] as const

/** An album of this browser: the one in hand, or another one by its name in the address.
 *  @returns null when the browser does not have the album's owner key */
export function readOrganiser(albumName?: string): Organiser | null {
  if (albumName === undefined) return readInHand()
  return readOwnAlbums().find(({ userAlbumSlug }) => userAlbumSlug === albumName) ?? null
}

/** All albums whose owner keys this browser has. The one that was in hand last is the first. */
export function readOwnAlbums(): Organiser[] {
  const inHand = readInHand()
  const listed = KEPT.ownAlbums.read() ?? []
  if (!inHand || listed.some(({ userAlbumId }) => userAlbumId === inHand.userAlbumId)) return listed
  return [inHand, ...listed]
}

/** What is saved of an album by now. */
export function savedAlbum(album: Organiser): Organiser {
  return readOwnAlbums().find(({ userAlbumId }) => userAlbumId === album.userAlbumId) ?? album
}

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

/** Null when any of the three values of §3 is missing. */
function readInHand(): Organiser | null {
  const [userEmail, eventName, userAlbumId, userAlbumSlug] = IN_HAND.map((name) => KEPT[name].read())
  if (!userEmail || !eventName || !userAlbumId) return null
  return { userEmail, eventName, userAlbumId, ...(userAlbumSlug && { userAlbumSlug }) }
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
