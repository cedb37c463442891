import { KEPT, type Organiser } from './persisted.ts'

/** The album in hand, as §3 names it. */
export const IN_HAND = ['userEmail', 'eventName', 'userAlbumId', 'userAlbumSlug'] as const

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

/** Null when any of the three values of §3 is missing. */
export function readInHand(): Organiser | null {
  const [userEmail, eventName, userAlbumId, userAlbumSlug] = IN_HAND.map((name) => KEPT[name].read())
  if (!userEmail || !eventName || !userAlbumId) return null
  return { userEmail, eventName, userAlbumId, ...(userAlbumSlug && { userAlbumSlug }) }
}
